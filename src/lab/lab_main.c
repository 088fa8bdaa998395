/*
 * lab_main.c - the program doppel-lab.
 */
#include "lab/lab_program.h"

int main(int argc, char **argv)
{
    return cli_main(&lab_program, argc, argv);
}
