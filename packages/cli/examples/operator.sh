#!/usr/bin/env bash
# What an operator does for a new customer: a project, its keys, and a look at how the service is.
#
#   npm start                             a sandbox, in another terminal
#   packages/cli/examples/operator.sh     COUNTERSIGN_HOME names its home where that is not .countersign
set -euo pipefail

# In a folder where the package is installed npx finds the command.
command -v countersign > /dev/null || countersign() { npx --no-install countersign "$@"; }
# One field of the JSON that is piped in.
field() { node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))'"$1"; }

name="Shop $$"
treasury=0x00000000000000000000000000000000000000aa

project=$(countersign project create "$name" --treasury "$treasury" --json | field .id)
echo "project $project"

# A key for the shop's server, and one that only reads. Each is shown this once.
key=$(countersign key create --project "$project" --name server --scope read,quote,execute --json | field .key)
countersign key create --project "$project" --name dashboard --scope read > /dev/null
test "$(countersign key list --project "$project" --json | field .length)" = 2
case "$key" in cs_*) echo "the server has its key" ;; *) echo "no key: $key" >&2; exit 1 ;; esac

# A budget of compute units, and what the service lists.
countersign project update --project "$project" --compute-units 10000 > /dev/null
countersign token list > /dev/null

# Is everything there that operations need?
countersign doctor
