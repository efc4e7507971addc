import { Effect } from "effect"
import { Command } from "effect/cli"
import { hasSandbox } from "./environment/hasSandbox.ts"

/** A command whose handler requires only the services of the process itself. */
type LoadedCommand<Name extends string> = Command.Command<Name, never, unknown, unknown, Command.Environment>

/** Commands that exist only for the sandbox. */
const sandboxCommands: ReadonlySet<string> = new Set(["sandbox", "sign"])

/**
 * Returns whether the help lists a command. Without the sandbox package the help omits its commands, but calling one
 * explains how to install the sandbox.
 */
const isOffered = (name: string): boolean => hasSandbox || !sandboxCommands.has(name)

/** Returns whether a flag requires the complete command tree. */
const needsAllCommands = (arg: string) => arg.startsWith("--completions") || arg === "--wizard"

/**
 * Builds the command `countersign`, the operator's command line. Loads only the commands that the arguments name,
 * because loading all of them takes longer than most commands run.
 */
export const countersign = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const needsAll = args.some(needsAllCommands)
  const command = <Name extends string>(name: Name, description: string, load: () => Promise<LoadedCommand<Name>>) =>
    Effect.map(
      needsAll || args.includes(name) ? Effect.promise(load) : Effect.succeed<LoadedCommand<Name>>(Command.make(name)),
      (loadedCommand) =>
        loadedCommand.description === undefined
          ? Command.withDescription(loadedCommand, description)
          : Command.withShortDescription(loadedCommand, description)
    )

  const commands = yield* Effect.all([
    command("serve", "Run the service with the chains and the database from the environment", () =>
      import("./commands/serve.ts").then(({ serve }) => serve)
    ),
    command("sandbox", "Run and control the embedded sandbox: chains, wallets and an adjustable clock", () =>
      import("./commands/sandbox.ts").then(({ sandbox }) => sandbox)
    ),
    command("db", "The database", () => import("./commands/db.ts").then(({ db }) => db)),
    command("backup", "Back up and restore the database and the documents", () =>
      import("./commands/backup.ts").then(({ backup }) => backup)
    ),
    command("project", "Manage projects, the tenants of the service", () =>
      import("./commands/project.ts").then(({ project }) => project)
    ),
    command("key", "Create, list and revoke API keys", () => import("./commands/key.ts").then(({ key }) => key)),
    command("wallet", "Register and show wallets", () => import("./commands/wallet.ts").then(({ wallet }) => wallet)),
    command("identity", "Review identity verifications and manage verified individuals", () =>
      import("./commands/identity.ts").then(({ identity }) => identity)
    ),
    command("token", "List the supported tokens", () => import("./commands/token.ts").then(({ token }) => token)),
    command("pools", "Show the known pools of two tokens", () =>
      import("./commands/pools.ts").then(({ pools }) => pools)
    ),
    command("liquidity", "Show Uniswap V3 pools, and quote operations on positions", () =>
      import("./commands/liquidity.ts").then(({ liquidity }) => liquidity)
    ),
    command("limit-order", "Limit orders", () =>
      import("./commands/limitOrder.ts").then(({ limitOrder }) => limitOrder)
    ),
    command("swap", "Swaps", () => import("./commands/swap.ts").then(({ swap }) => swap)),
    command("transfer", "Quote a transfer of a token or of the native token", () =>
      import("./commands/transfer.ts").then(({ transfer }) => transfer)
    ),
    command("fiat", "Quote and show fiat deposits and withdrawals", () =>
      import("./commands/fiat.ts").then(({ fiat }) => fiat)
    ),
    command("bitcoin", "Broadcast, speed up or cancel Bitcoin payments", () =>
      import("./commands/bitcoin.ts").then(({ bitcoin }) => bitcoin)
    ),
    command("batch", "Quote the transfers and swaps of a JSON file as one operation", () =>
      import("./commands/batch.ts").then(({ batch }) => batch)
    ),
    command("lending", "Quote loans on Aave V3 and Morpho Blue, and show markets and positions", () =>
      import("./commands/lending.ts").then(({ lending }) => lending)
    ),
    command("sign", "Sign an operation as one of the sandbox's demonstration owners", () =>
      import("./commands/sign.ts").then(({ sign }) => sign)
    ),
    command("execute", "Execute a signed operation", () =>
      import("./commands/execute.ts").then(({ execute }) => execute)
    ),
    command("portfolio", "Show the balances, value, profit and loss of a wallet", () =>
      import("./commands/portfolio.ts").then(({ portfolio }) => portfolio)
    ),
    command("history", "Show the transactions of a wallet, newest first", () =>
      import("./commands/history.ts").then(({ history }) => history)
    ),
    command("tax", "Export a wallet's movements for tax returns, monthly or now", () =>
      import("./commands/tax.ts").then(({ tax }) => tax)
    ),
    command("user-operation", "Show prepared and submitted user operations", () =>
      import("./commands/userOperation.ts").then(({ userOperation }) => userOperation)
    ),
    command("webhook", "Manage webhooks, the endpoints that receive a project's events", () =>
      import("./commands/webhook.ts").then(({ webhook }) => webhook)
    ),
    command("mcp", "Connect an AI assistant to a running service (Model Context Protocol)", () =>
      import("./commands/mcp.ts").then(({ mcp }) => mcp)
    ),
    command("operator", "Show or forgive unpaid gas of wallets", () =>
      import("./commands/operator.ts").then(({ operator }) => operator)
    ),
    command("paymaster", "Deploy, fund and show the paymaster contracts, which accept gas fees in tokens", () =>
      import("./commands/paymaster.ts").then(({ paymaster }) => paymaster)
    ),
    command("chain", "Show the contracts of a chain, and deploy missing ones", () =>
      import("./commands/chain.ts").then(({ chain }) => chain)
    ),
    command("doctor", "Report problems and how to fix them", () =>
      import("./commands/doctor.ts").then(({ doctor }) => doctor)
    )
  ])
  return Command.make("countersign").pipe(
    Command.withDescription(
      "Operations on smart wallets: the service prepares an operation, the wallet's owner signs it, and the service executes and records it."
    ),
    Command.withSubcommands(commands.filter(({ name }) => isOffered(name) || args.includes(name)))
  )
})
