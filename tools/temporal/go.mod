module temporaldev

go 1.26.4

require github.com/temporalio/cli v1.8.2

replace github.com/temporalio/cli/cliext => github.com/temporalio/cli/cliext v0.0.0-20260731000218-c579925f193f
