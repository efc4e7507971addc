import { Effect } from "effect"
import { Command } from "effect/cli"

/** What every command's handler may ask of the process that runs it. */
type Handled<Name extends string> = Command.Command<Name, never, unknown, unknown, Command.Environment>

const entry = <const Name extends string>(name: Name, description: string, load: () => Promise<Handled<Name>>) => ({
  name,
  /** The name and what it is for, which is all that `--help` and completion of the first word need. */
  listed: Command.make(name).pipe(Command.withDescription(description)),
  loaded: Effect.map(Effect.promise(load), Command.withDescription(description))
})

const entries = [
  entry("serve", "Run the service on the chains and the database that the environment names", () =>
    import("./commands/serve.ts").then(({ serve }) => serve)
  ),
  entry("sandbox", "The embedded sandbox: chains, wallets, a clock that can be moved", () =>
    import("./commands/sandbox.ts").then(({ sandbox }) => sandbox)
  ),
  entry("db", "The database", () => import("./commands/db.ts").then(({ db }) => db)),
  entry("project", "Projects: the tenants of the service", () =>
    import("./commands/project.ts").then(({ project }) => project)
  ),
  entry("key", "API keys of projects", () => import("./commands/key.ts").then(({ key }) => key)),
  entry("wallet", "The registry of smart wallets", () => import("./commands/wallet.ts").then(({ wallet }) => wallet)),
  entry("token", "The catalogue of tokens", () => import("./commands/token.ts").then(({ token }) => token)),
  entry("swap", "Swaps", () => import("./commands/swap.ts").then(({ swap }) => swap)),
  entry("sign", "Sign an operation as one of the sandbox's demonstration owners", () =>
    import("./commands/sign.ts").then(({ sign }) => sign)
  ),
  entry("execute", "Execute a signed operation", () =>
    import("./commands/execute.ts").then(({ execute }) => execute)
  ),
  entry("history", "Show what a wallet did, newest first", () =>
    import("./commands/history.ts").then(({ history }) => history)
  ),
  entry("user-operation", "Prepared and submitted user operations", () =>
    import("./commands/userOperation.ts").then(({ userOperation }) => userOperation)
  ),
  entry("doctor", "Tell what is wrong, what it waits for, and what to do", () =>
    import("./commands/doctor.ts").then(({ doctor }) => doctor)
  )
] as const

/** Flags that look at the whole tree of commands. */
const wantsAll = (word: string) => word.startsWith("--completions") || word === "--wizard"

/**
 * `countersign`: the operator's command line, on the same services as the server. Of its commands only those are loaded
 * that the words of the line name, because loading all of them takes longer than most of them run.
 */
export const countersign = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const all = words.some(wantsAll)
  const commands = yield* Effect.forEach(entries, ({ listed, loaded, name }) =>
    all || words.includes(name) ? loaded : Effect.succeed(listed)
  )
  return Command.make("countersign").pipe(
    Command.withDescription(
      "Operations on smart wallets: the service prepares, the wallet's owner signs, the service executes and records."
    ),
    Command.withSubcommands(commands)
  )
})
