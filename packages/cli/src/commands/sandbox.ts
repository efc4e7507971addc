import { chainOf } from "@countersign/core/chains"
import { DateTime, Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runningSandbox } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { askGateway, type GatewayStatus } from "../environment/gatewayClient.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, table } from "../output/table.ts"
import { start } from "./sandboxStart.ts"

const statusText = (status: GatewayStatus, facts: ReadonlyArray<readonly [string, string]>) =>
  [
    card([
      ...facts,
      [
        "clock",
        `${DateTime.formatIso(DateTime.makeUnsafe(status.nowSeconds * 1000))} (${status.clockOffsetSeconds} s ahead)`
      ]
    ]),
    "",
    table(
      ["CHAIN", "ID", "STATE", "BLOCK", "PROCESS"],
      status.chains.map(({ blockNumber, chainId, pid, running }) => [
        chainOf(chainId).name,
        chainId,
        running ? "running" : "starts when used",
        blockNumber ?? null,
        pid ?? null
      ])
    )
  ].join("\n")

const status = Command.make("status", { json: jsonFlag }, ({ json }) =>
  Effect.gen(function* () {
    const { file, home, status: found } = yield* runningSandbox
    yield* print(json, { home, baseUrl: file.baseUrl, gatewayUrl: file.gatewayUrl, pid: file.pid, ...found }, () =>
      statusText(found, [
        ["API", file.baseUrl],
        ["home", home]
      ])
    )
  })
).pipe(Command.withDescription("Show what runs"))

const reset = Command.make(
  "reset",
  {
    yes: Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Really"), Flag.withDefault(false)),
    json: jsonFlag
  },
  ({ json, yes }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      if (!yes) {
        return yield* new Refused({
          reason:
            "This forgets every block of every sandbox chain. Say --yes to go on. (`npm start -- --fresh` forgets the database too.)"
        })
      }
      const after = yield* askGateway(file.gatewayUrl, "POST", "/reset")
      yield* print(json, after, () => statusText(after, [["reset", "done"]]))
    })
).pipe(Command.withDescription("Deploy the sandbox's chains anew; projects, keys and wallets stay"))

const clock = Command.make(
  "clock",
  {
    advance: Flag.String("advance").pipe(
      Flag.withDescription('How far to move the clock, such as "1 hour" or "30 days"'),
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ advance, json }) =>
    Effect.gen(function* () {
      const { file, status: before } = yield* runningSandbox
      if (Option.isNone(advance)) {
        return yield* print(json, before, () => statusText(before, []))
      }
      const step = Duration.fromInput(advance.value as Duration.Input)
      if (Option.isNone(step)) {
        return yield* new Refused({ reason: 'Write --advance as a number and a unit, such as "1 hour" or "30 days".' })
      }
      const advanceSeconds = Math.round(Duration.toSeconds(step.value))
      const after = yield* askGateway(file.gatewayUrl, "POST", "/clock", { advanceSeconds })
      yield* print(json, after, () => statusText(after, []))
    })
).pipe(Command.withDescription("Show the sandbox's clock, or move it forward with its chains"))

const fund = Command.make(
  "fund",
  {
    chain: Flag.Int("chain").pipe(Flag.withDescription("Id of the chain"), Flag.withDefault(1)),
    address: Argument.String("address").pipe(Argument.withDescription("Who gets it")),
    token: Argument.String("token").pipe(Argument.withDescription("Address of a sandbox token, or native")),
    amount: Argument.String("base-units").pipe(Argument.withDescription("How much, in base units")),
    json: jsonFlag
  },
  ({ address, amount, chain, json, token }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      yield* askGateway(file.gatewayUrl, "POST", "/fund", { chainId: chain, address, token, amount })
      yield* print(
        json,
        { address, token, amount, chainId: chain },
        () => `${address} has ${amount} base units of ${token} more.`
      )
    })
).pipe(Command.withDescription("Give an address tokens of a sandbox chain"))

export const sandbox = Command.make("sandbox").pipe(
  Command.withDescription("The embedded sandbox: chains, wallets, a clock that can be moved"),
  Command.withSubcommands([start, status, reset, clock, fund])
)
