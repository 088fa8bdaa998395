# Documents in a made-up language: letters of the sample's English are others, words have one of eight endings,
# and there are no names or numbers.
BEGIN {
    split("ak nul osse imu ekra ipto yar ond", ending, " ")
    from = "abcdefghijklmnopqrstuvwxyz"
    to = "ubnjakwqelrtopizcsdyvfgxhm"
    n = 1
}
{
    match($0, /"id":"[^"]*"/)
    id = substr($0, RSTART, RLENGTH)
    sub(/.*"text":"/, "")
    sub(/"}?.*$/, "")
    gsub(/\\n/, " ")
    out = ""
    while (match($0, /[A-Za-z]+|[.!?]/)) {
        word = tolower(substr($0, RSTART, RLENGTH))
        $0 = substr($0, RSTART + RLENGTH)
        if (word ~ /[a-z]/) {
            other = ""
            for (i = 1; i <= length(word); i++)
                other = other substr(to, index(from, substr(word, i, 1)), 1)
            n = (n * 7 + 3) % 10007
            word = " " other ending[n % 8 + 1]
        }
        out = out word
    }
    printf "{%s,\"lang\":\"mt\",\"text\":\"%s\"}\n", id, out
}
