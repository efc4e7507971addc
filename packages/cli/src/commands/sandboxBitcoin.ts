import { BitcoinAddress, baseUnitsOrNone, DecimalString } from "@countersign/core/foundation/primitives"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandRefused } from "../environment/errors.ts"
import { type GatewayStatus, requestGateway } from "../environment/gatewayClient.ts"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"

const DECIMALS = 8

type Status = NonNullable<GatewayStatus["bitcoin"]>

const heightText = ({ height, waiting }: Status) =>
  `The latest block is ${height}; ${waiting} transactions are unconfirmed.`

const control = (request: object, json: boolean, text: (status: Status) => string) =>
  Effect.gen(function* () {
    const { file } = yield* runningSandbox
    const state = yield* requestGateway(file.gatewayUrl, "POST", "/bitcoin-control", request)
    const status = state.bitcoin!
    yield* print(json, { network: "regtest", ...status }, () => text(status))
  })

const mine = Command.make(
  "mine",
  {
    blocks: Argument.Int("blocks").pipe(Argument.withDescription("Number of blocks"), Argument.withDefault(1)),
    json: jsonFlag
  },
  ({ blocks, json }) => control({ mine: blocks }, json, heightText)
).pipe(Command.withDescription("Mine blocks now, including the unconfirmed transactions"))

const blocks = Command.make(
  "blocks",
  {
    state: Argument.Literals("state", ["on", "off"]).pipe(
      Argument.withDescription("Whether blocks are mined automatically, one every few seconds")
    ),
    json: jsonFlag
  },
  ({ json, state }) =>
    control({ hasBlocks: state === "on" }, json, (status) =>
      status.hasBlocks
        ? `Blocks are mined automatically. ${heightText(status)}`
        : `Blocks are mined only by \`countersign sandbox bitcoin mine\`, so unconfirmed transactions can be sped up or cancelled. ${heightText(status)}`
    )
).pipe(Command.withDescription("Stop or resume automatic mining"))

const reorg = Command.make(
  "reorg",
  {
    depth: Argument.Int("depth").pipe(Argument.withDescription("Number of blocks to remove"), Argument.withDefault(1)),
    json: jsonFlag
  },
  ({ depth, json }) => control({ reorg: depth }, json, heightText)
).pipe(Command.withDescription("Reorg the latest blocks, so that their transactions become unconfirmed"))

const fees = Command.make(
  "fees",
  {
    rate: Argument.Int("rate").pipe(
      Argument.withDescription("Fee rate in sat/vB for inclusion in one of the next two blocks")
    ),
    json: jsonFlag
  },
  ({ json, rate }) =>
    control(
      { satoshisPerVbyte: rate },
      json,
      ({ satoshisPerVbyte }) => `The high priority fee rate is ${satoshisPerVbyte} sat/vB.`
    )
).pipe(Command.withDescription("Set the fee rates that the chain reports"))

const fund = Command.make(
  "fund",
  {
    address: Argument.String("address").pipe(Argument.withDescription("Receiver"), readAs(BitcoinAddress)),
    amount: Argument.String("amount").pipe(
      Argument.withDescription("Amount in BTC, such as 0.5"),
      readAs(DecimalString)
    ),
    json: jsonFlag
  },
  ({ address, amount, json }) =>
    Effect.gen(function* () {
      const satoshis = Number(Option.getOrElse(baseUnitsOrNone(amount, DECIMALS), () => 0n))
      if (satoshis === 0 || !Number.isSafeInteger(satoshis)) {
        return yield* new CommandRefused({
          reason: `${amount} is not a valid amount. Use a number above zero with at most 8 decimals.`
        })
      }
      const text = ({ txid }: Status) => `${amount} regtest BTC were sent to ${address} in transaction ${txid}.`
      yield* control({ address, satoshis }, json, text)
    })
).pipe(Command.withDescription("Send the miner's bitcoins to an address"))

export const sandboxBitcoin = Command.make("bitcoin").pipe(
  Command.withDescription("Control the sandbox's Bitcoin chain: regtest rules, addresses in the mainnet format"),
  Command.withSubcommands([mine, blocks, reorg, fees, fund])
)
