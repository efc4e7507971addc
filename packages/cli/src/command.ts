import { Command } from "effect/cli"
import { db } from "./commands/db.ts"
import { doctor } from "./commands/doctor.ts"
import { execute } from "./commands/execute.ts"
import { history } from "./commands/history.ts"
import { key } from "./commands/key.ts"
import { project } from "./commands/project.ts"
import { sandbox } from "./commands/sandbox.ts"
import { serve } from "./commands/serve.ts"
import { sign } from "./commands/sign.ts"
import { swap } from "./commands/swap.ts"
import { token } from "./commands/token.ts"
import { userOperation } from "./commands/userOperation.ts"
import { wallet } from "./commands/wallet.ts"

/** `countersign`: the operator's command line, on the same services as the server. */
export const countersign = Command.make("countersign").pipe(
  Command.withDescription(
    "Operations on smart wallets: the service prepares, the wallet's owner signs, the service executes and records."
  ),
  Command.withSubcommands([
    serve,
    sandbox,
    db,
    project,
    key,
    wallet,
    token,
    swap,
    sign,
    execute,
    history,
    userOperation,
    doctor
  ])
)
