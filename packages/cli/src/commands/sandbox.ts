import { chainOf, type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address, baseUnitsOrNone, DecimalString } from "@countersign/core/foundation/primitives"
import { DateTime, Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { type GatewayStatus, requestGateway, type VaultMode } from "../environment/gatewayClient.ts"
import { loadSandbox } from "../environment/loadSandbox.ts"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { chainFlag } from "../input/chain.ts"
import { inLowerCase, readAs, readAsDuration, requireWithin } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, table } from "../output/table.ts"
import { sandboxBitcoin } from "./sandboxBitcoin.ts"
import { start } from "./sandboxStart.ts"

const relayerText = ({ delaySeconds = 0, mode }: GatewayStatus["relayer"]): string => {
  if (mode === "OFF") return "fills nothing"
  return delaySeconds === 0 ? "fills immediately" : `fills after ${delaySeconds} s`
}

const statusText = (status: GatewayStatus, facts: ReadonlyArray<readonly [string, string]>) =>
  [
    card([
      ...facts,
      [
        "clock",
        `${DateTime.formatIso(DateTime.makeUnsafe(status.nowSeconds * 1000))} (${status.clockOffsetSeconds} s ahead)`
      ],
      ["relayer", relayerText(status.relayer)],
      ...(status.thorchain === undefined ? [] : [["THORChain", vaultText(status.thorchain)] as const]),
      ...(status.lifi === undefined ? [] : [["LI.FI", vaultText(status.lifi)] as const])
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
    const { file, home, status } = yield* runningSandbox
    yield* print(json, { home, baseUrl: file.baseUrl, gatewayUrl: file.gatewayUrl, pid: file.pid, ...status }, () =>
      statusText(status, [
        ["API", file.baseUrl],
        ["home", home]
      ])
    )
  })
).pipe(Command.withDescription("Show the state of the sandbox: chains, clock and simulated providers"))

const reset = Command.make(
  "reset",
  {
    yes: Flag.Boolean("yes").pipe(
      Flag.withAlias("y"),
      Flag.withDescription("Reset without a confirmation"),
      Flag.withDefault(false)
    ),
    json: jsonFlag
  },
  ({ json, yes }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      if (!yes) {
        return yield* new CommandRefused({
          reason:
            "This deletes all blocks of all sandbox chains. Add --yes to continue. (`npm start -- --fresh` also deletes the database.)"
        })
      }
      const state = yield* requestGateway(file.gatewayUrl, "POST", "/reset")
      yield* print(json, state, () => statusText(state, [["reset", "done"]]))
    })
).pipe(Command.withDescription("Reset the sandbox's chains. Projects, keys and wallets remain"))

const clock = Command.make(
  "clock",
  {
    advance: Flag.String("advance").pipe(
      Flag.withDescription("Time by which to advance the clock, such as 1h or 30d"),
      readAsDuration,
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
      const advanceSeconds = Math.round(Duration.toSeconds(advance.value))
      const state = yield* requestGateway(file.gatewayUrl, "POST", "/clock", { advanceSeconds })
      yield* print(json, state, () => statusText(state, []))
    })
).pipe(
  Command.withDescription("Show the sandbox's clock, or move it forward with its chains"),
  Command.withExamples([
    {
      command: "countersign sandbox clock --advance 2m",
      description: "Advance the clock until all quotes have expired"
    }
  ])
)

/** Returns the token to send: the native token, or a token by symbol or address. */
const resolveSandboxToken = Effect.fnUntraced(function* (chainId: EvmChainId, text: string) {
  const { sandboxTokens } = yield* loadSandbox
  const lowerCaseText = text.toLowerCase()
  if (lowerCaseText === "native") return { token: "native", symbol: "of the native token", decimals: 18 }
  const token = sandboxTokens(chainId).find(
    ({ address, symbol }) => address === lowerCaseText || symbol.toLowerCase() === lowerCaseText
  )
  return token === undefined
    ? yield* new NotFound({
        what: `There is no token "${text}" on ${chainOf(chainId).name} in the sandbox.`,
        hint: `\`countersign token list --chain ${chainId}\` shows the tokens; native is the native token.`
      })
    : { token: token.address, symbol: token.symbol, decimals: token.decimals }
})

const fund = Command.make(
  "fund",
  {
    address: Argument.String("address").pipe(Argument.withDescription("Receiver"), readAs(inLowerCase(Address))),
    amount: Argument.String("amount").pipe(
      Argument.withDescription("Amount in token units, such as 1.5"),
      readAs(DecimalString)
    ),
    token: Argument.String("token").pipe(Argument.withDescription("Symbol or address of a token, or native")),
    chain: chainFlag,
    json: jsonFlag
  },
  ({ address, amount, chain, json, token }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      if (!isEvmChainId(chain))
        return yield* new CommandRefused({ reason: "`countersign sandbox bitcoin fund` sends bitcoins." })
      const sentToken = yield* resolveSandboxToken(chain, token)
      const units = Option.getOrElse(baseUnitsOrNone(amount, sentToken.decimals), () => 0n)
      if (units === 0n) {
        return yield* new CommandRefused({
          reason: `${amount} is not a valid amount. Use a number above zero with at most ${sentToken.decimals} decimals.`
        })
      }
      const request = { chainId: chain, address, token: sentToken.token, amount: String(units) }
      yield* requestGateway(file.gatewayUrl, "POST", "/fund", request)
      yield* print(
        json,
        request,
        () => `${address} has received ${amount} ${sentToken.symbol} on ${chainOf(chain).name}.`
      )
    })
).pipe(
  Command.withDescription("Send tokens of a sandbox chain to an address"),
  Command.withExamples([
    { command: "countersign sandbox fund 0x… 1000 USDC", description: "Send 1000 USDC on Ethereum" },
    { command: "countersign sandbox fund 0x… 0.5 native --chain base", description: "Send 0.5 ether on Base" }
  ])
)

/** Sets the mode of the sandbox's relayer. It also applies to earlier deposits that are not filled. */
const setRelayerMode = (mode: object, json: boolean) =>
  Effect.gen(function* () {
    const { file } = yield* runningSandbox
    const state = yield* requestGateway(file.gatewayUrl, "POST", "/relayer", mode)
    yield* print(json, state, () => `The relayer ${relayerText(state.relayer)}.`)
  })

const relayer = Command.make("relayer").pipe(
  Command.withDescription("Set what the simulated relayer does with transfers to another chain"),
  Command.withSubcommands([
    Command.make("fill", { json: jsonFlag }, ({ json }) =>
      setRelayerMode({ mode: "FILL", delaySeconds: 0 }, json)
    ).pipe(Command.withDescription("Fill immediately")),
    Command.make(
      "delay",
      {
        seconds: Argument.Int("seconds").pipe(Argument.withDescription("Seconds between a deposit and its fill")),
        json: jsonFlag
      },
      ({ json, seconds }) => setRelayerMode({ mode: "FILL", delaySeconds: seconds }, json)
    ).pipe(Command.withDescription("Fill later")),
    Command.make("off", { json: jsonFlag }, ({ json }) => setRelayerMode({ mode: "OFF" }, json)).pipe(
      Command.withDescription("Do not fill: a deposit is refunded after its deadline, two hours later")
    )
  ])
)

const vaultText = ({ delaySeconds = 0, mode }: VaultMode): string => {
  switch (mode) {
    case "PAY":
      return delaySeconds === 0 ? "pays out immediately" : `pays out ${delaySeconds} s after a deposit's block`
    case "REFUND":
      return "refunds every deposit"
    case "LIE":
      return "reports a payout without paying"
    case "HALT":
      return "returns no quotes, and ignores deposits"
  }
}

interface VaultName {
  readonly key: "thorchain" | "lifi"
  readonly title: string
  /** The swaps that the bridge executes, for the help text. */
  readonly what: string
}

/** Sets the mode of a Bitcoin bridge. It also applies to earlier deposits that are not paid out. */
const setVaultMode = ({ key, title }: VaultName, mode: object, json: boolean) =>
  Effect.gen(function* () {
    const { file } = yield* runningSandbox
    const state = yield* requestGateway(file.gatewayUrl, "POST", `/${key}`, mode)
    const currentMode = state[key]
    yield* print(json, state, () =>
      currentMode === undefined ? `This sandbox has no ${title}.` : `${title} ${vaultText(currentMode)}.`
    )
  })

const vaultCommands = (vault: VaultName) => {
  const modeCommand = (name: string, mode: object, description: string) =>
    Command.make(name, { json: jsonFlag }, ({ json }) => setVaultMode(vault, mode, json)).pipe(
      Command.withDescription(description)
    )
  return Command.make(vault.key).pipe(
    Command.withDescription(`Set what the simulated ${vault.title} does with ${vault.what}`),
    Command.withSubcommands([
      modeCommand("pay", { mode: "PAY", delaySeconds: 0 }, "Pay out once a deposit is in a block"),
      Command.make(
        "delay",
        {
          seconds: Argument.Int("seconds").pipe(
            Argument.withDescription("Seconds between a deposit's block and its payout")
          ),
          json: jsonFlag
        },
        ({ json, seconds }) => setVaultMode(vault, { mode: "PAY", delaySeconds: seconds }, json)
      ).pipe(Command.withDescription("Pay out later")),
      modeCommand("refund", { mode: "REFUND" }, "Refund deposits"),
      modeCommand("lie", { mode: "LIE" }, "Report that deposits were paid out, without paying"),
      modeCommand("halt", { mode: "HALT" }, "Return no quotes, and ignore deposits")
    ])
  )
}

const thorchain = vaultCommands({ key: "thorchain", title: "THORChain", what: "swaps from Bitcoin" })
const lifi = vaultCommands({ key: "lifi", title: "LI.FI", what: "swaps from and to Bitcoin" })

const solver = Command.make(
  "solver",
  {
    work: Flag.Literals("work", ["on", "off"]).pipe(
      Flag.withDescription("Whether limit orders are filled"),
      Flag.optional
    ),
    largest: Flag.Int("largest").pipe(
      Flag.withDescription("Maximum percentage of an order that one settlement fills"),
      requireWithin(1, 100),
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ json, largest, work }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      const state = yield* requestGateway(file.gatewayUrl, "POST", "/solver", {
        ...(Option.isSome(work) ? { isSolving: work.value === "on" } : {}),
        ...(Option.isSome(largest) ? { largestPercent: largest.value } : {})
      })
      const mode = state.solver
      const modeText = mode?.isSolving === true ? `fills up to ${mode.largestPercent} % immediately` : "fills nothing"
      yield* print(json, state, () => statusText(state, [["solver", modeText]]))
    })
).pipe(
  Command.withDescription("Show or change the behavior of the limit order solver"),
  Command.withExamples([
    {
      command: "countersign sandbox solver --largest 30",
      description: "Fill each order partially, at most 30 % per settlement"
    },
    { command: "countersign sandbox solver --work off", description: "Stop filling orders" }
  ])
)

const bank = Command.make(
  "bank",
  {
    what: Argument.Literals("what", ["pay", "return", "review", "close", "customer"]).pipe(
      Argument.withDescription(
        "pay: pay a deposit, or pay out a withdrawal. return: return the payment. review: put the order in review. close: end the order " +
          "without a payment. customer: make an individual a customer of both providers"
      )
    ),
    id: Argument.String("id").pipe(Argument.withDescription("Id of the fiat order, or of the individual")),
    amount: Flag.Int("amount").pipe(
      Flag.withDescription("For pay: deposited amount in cents; by default the amount of the order"),
      Flag.optional
    ),
    fromName: Flag.String("from-name").pipe(
      Flag.withDescription(
        "For pay: name of the account that pays, which BlindPay compares; by default the individual's name"
      ),
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ amount, fromName, id, json, what }) =>
    Effect.gen(function* () {
      const { file } = yield* runningSandbox
      const body =
        what === "customer"
          ? { individualId: id }
          : {
              orderId: id,
              ...Option.match(amount, {
                onNone: () => ({}),
                onSome: (cents) => ({ amount: cents })
              }),
              ...Option.match(fromName, { onNone: () => ({}), onSome: (name) => ({ fromName: name }) })
            }
      const state = yield* requestGateway(file.gatewayUrl, "POST", `/bank/${what}`, body)
      yield* print(json, state, () => `The simulated bank has executed: ${what} ${id}.`)
    })
).pipe(
  Command.withDescription("Simulate the bank of a fiat deposit or withdrawal, at the sandbox's BlindPay or Bridge"),
  Command.withExamples([
    { command: "countersign sandbox bank pay 6c1b…", description: "Pay a deposit, or pay out a withdrawal" },
    {
      command: "countersign sandbox bank pay 6c1b… --amount 500",
      description: "Pay 5.00. BlindPay returns a payment whose amount differs from the order"
    },
    { command: "countersign sandbox bank return 6c1b…", description: "Return a payment" }
  ])
)

export const sandbox = Command.make("sandbox").pipe(
  Command.withSubcommands([start, status, reset, clock, fund, relayer, thorchain, lifi, solver, bank, sandboxBitcoin])
)
