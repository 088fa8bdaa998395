#!/bin/sh
# slurm.sh - pairs of two files of documents, as jobs of Slurm.
#
#     slurm.sh N LEFT RIGHT FOLDER [OPTION OF doppel pairs]...
#
# Submits five jobs, each after the one before: the documents of both sides in N parts each (an
# array), their collections and vectors, the search in N parts (an array), the pairs. Everything
# is in FOLDER, which must be on storage that all nodes see, and so must LEFT and RIGHT. Prints
# the number of the last job; FOLDER/pairs.tsv is there when it has ended. A job that failed is
# done again by the same command: parts that are there are not made again. SBATCH_OPTIONS has
# more options for each task, such as "--mem=8G --cpus-per-task=8".
set -eu
[ $# -ge 4 ] || { sed -n 's/^#     /usage: /p' "$0" | head -n 1 >&2; exit 2; }
n=$1 left=$(realpath "$2") right=$(realpath "$3")
mkdir -p "$4"
folder=$(realpath "$4")
shift 4

# job NAME AFTER OPTION... : submits what stands in standard input, prints its number
job()
{
    name=$1 after=$2
    shift 2
    # shellcheck disable=SC2086
    sbatch --parsable --job-name="$name" --chdir="$folder" --output="$name-%a.log" \
        ${after:+--dependency=afterok:$after --kill-on-invalid-dep=yes} ${SBATCH_OPTIONS:-} "$@"
}

options=
for option; do
    options="$options '$option'"
done
import=$(job import "" --array="1-$n" <<END
#!/bin/sh
set -e
doppel import -q '$left' --part \$SLURM_ARRAY_TASK_ID/$n -o left.\$SLURM_ARRAY_TASK_ID.part
doppel import -q '$right' --part \$SLURM_ARRAY_TASK_ID/$n -o right.\$SLURM_ARRAY_TASK_ID.part
END
)
vectors=$(job vectors "$import" <<END
#!/bin/sh
set -e
for side in left right; do
    doppel merge -q \$side.*.part -o \$side.dpl
    doppel vectors -q \$side.dpl -o \$side.vectors.dpl
done
END
)
pairs=$(job pairs "$vectors" --array="1-$n" <<END
#!/bin/sh
exec doppel pairs -q left.vectors.dpl right.vectors.dpl$options \\
    --part \$SLURM_ARRAY_TASK_ID/$n -o pairs.\$SLURM_ARRAY_TASK_ID.part
END
)
job merge "$pairs" <<END
#!/bin/sh
exec doppel merge -q pairs.*.part -o pairs.tsv
END
