import { makeCallDecoder } from "./abi.ts"
import { valueAtParity } from "./bridges.ts"
import { type Bytes, numberIn, slice, Unreadable, word } from "./bytes.ts"
import { NATIVE, ZERO } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { hex, type List, number } from "./routerWords.ts"
import { filledToken } from "./spokePools.ts"

/**
 * Decodes LI.FI's cross-chain transfers through Across: the input, the enforced output of an optional swap before the
 * transfer, and the amount that arrives. After a swap, that amount is a fraction of the swap's output.
 */

const BRIDGE = "(bytes32,string,string,address,address,address,uint256,uint256,bool,bool)"
const STEP = "(address,address,address,address,uint256,bytes,bool)"
const ACROSS = "(bytes32,bytes32,bytes32,bytes32,uint256,uint128,bytes32,uint32,uint32,uint32,bytes)"

interface BridgeArguments {
  readonly bridge: List
  readonly across: List
  /** The swaps before the transfer; null if there is none. */
  readonly steps: ReadonlyArray<List> | null
}

const decodeBridgeCall = makeCallDecoder<(args: List) => BridgeArguments>({
  [`startBridgeTokensViaAcrossV4(${BRIDGE},${ACROSS})`]: ([bridge, across]) => ({
    bridge: bridge as List,
    across: across as List,
    steps: null
  }),
  [`swapAndStartBridgeTokensViaAcrossV4(${BRIDGE},${STEP}[],${ACROSS})`]: ([bridge, steps, across]) => ({
    bridge: bridge as List,
    across: across as List,
    steps: steps as ReadonlyArray<List>
  })
})

/** The fraction of the swap output is scaled by 10^18. */
const ONE = 10n ** 18n
/** A SpokePool rejects deposits with an older quote. */
const MAX_QUOTE_AGE_SECONDS = 3_600n
/** Minimum time that relayers must have to fill a deposit. */
const MIN_FILL_SECONDS = 1_800n
const MAX_EXCLUSIVE_SECONDS = 600n
/** A larger exclusivity value is a Unix time. Otherwise it is the number of seconds after the deposit. */
const MAX_OFFSET_SECONDS = 31_536_000n

const UNDECODED_ROUTE =
  "LI.FI's contract calls exchanges with data that can't be decoded. The contract takes the amount and enforces the minimum amount that is sent to the destination chain."

const checkTimes = (ledger: Ledger, across: List): void => {
  const [quotedAt, fillUntil, exclusivityParameter] = across.slice(7, 10).map(number) as [bigint, bigint, bigint]
  if (fillUntil < quotedAt + MAX_QUOTE_AGE_SECONDS + MIN_FILL_SECONDS)
    ledger.report(
      "wrong_deadline",
      `Relayers could fill the deposit only until ${fillUntil - quotedAt} seconds after its quote, which is too short.`
    )
  if (
    (exclusivityParameter > MAX_OFFSET_SECONDS ? exclusivityParameter - quotedAt : exclusivityParameter) >
    MAX_EXCLUSIVE_SECONDS
  )
    ledger.report("unknown_call", "Initially only one relayer could fill the deposit.")
}

const checkParties = (ledger: Ledger, bridge: List, across: List): void => {
  const [receiver, refundReceiver] = [number(across[0]), number(across[1])]
  if (receiver !== numberIn(hex(bridge[5])))
    ledger.report("pays_somebody_else", `Across would pay ${word(receiver)} instead of ${hex(bridge[5])}.`)
  if (refundReceiver !== numberIn(ledger.wallet))
    ledger.report("pays_somebody_else", `A refund would go to ${word(refundReceiver)} instead of the wallet.`)
  if (hex(across[10]) !== "0x" || bridge[9] !== 0n)
    throw new Unreadable("a deposit contains a message for a contract on the destination chain")
}

const tokenFromWord = (value: bigint): Bytes => slice(word(value), 12)

/** Records the input of a transfer. Returns the minimum amount of the bridged token that is deposited. */
const takeBridgedAmount = (
  ledger: Ledger,
  router: Bytes,
  sentToken: Bytes,
  { bridge, steps }: BridgeArguments
): bigint => {
  const amount = number(bridge[6])
  if ((bridge[8] === 1n) !== (steps !== null))
    throw new Unreadable("the swap flag of LI.FI's call does not match its swaps")
  if (steps === null) {
    if (sentToken === ZERO) ledger.use(router, NATIVE, amount)
    else ledger.pull(sentToken, router, amount, "ALLOWANCE")
    return amount
  }
  if (steps.length === 0 || hex(steps.at(-1)![3]) !== sentToken)
    throw new Unreadable("the output token of the swap in LI.FI's call is not the bridged token")
  if (hex(steps[0]![2]) === ZERO) ledger.sell(router, NATIVE, null)
  for (const [, , soldToken, , depositedAmount, , isDeposited] of steps) {
    if (isDeposited === 1n && hex(soldToken) !== ZERO)
      ledger.pull(hex(soldToken), router, number(depositedAmount), "ALLOWANCE")
  }
  ledger.unknown.add(UNDECODED_ROUTE)
  return amount
}

/**
 * Records a cross-chain transfer in the ledger. Returns false if the call is not a transfer, or if the ledger has no
 * bridge.
 */
export const enterLiFiTransfer = (ledger: Ledger, router: Bytes, data: Bytes): boolean => {
  const liFiTransfer = ledger.bridge === null ? null : decodeBridgeCall(data)
  if (liFiTransfer === null || ledger.bridge === null) return false
  const bridgeArguments = liFiTransfer.definition(liFiTransfer.args)
  const { across, bridge, steps } = bridgeArguments
  const sentToken = hex(bridge[4])
  const [input, output] = [
    sentToken === ZERO ? ledger.wrapped : tokenFromWord(number(across[2])),
    tokenFromWord(number(across[3]))
  ] as const
  if (sentToken !== ZERO && input !== sentToken)
    throw new Unreadable("the tokens that LI.FI's call takes and bridges differ")
  checkParties(ledger, bridge, across)
  checkTimes(ledger, across)
  const minAmount = takeBridgedAmount(ledger, router, sentToken, bridgeArguments)
  const chainId = Number(number(bridge[7]))
  const arrivingAmount = steps === null ? number(across[4]) : (minAmount * number(across[5])) / ONE
  valueAtParity(ledger, ledger.bridge, { chainId, input, inputAmount: minAmount, output, outputAmount: arrivingAmount })
  const arrivedToken = filledToken(chainId, output, ledger.bridge.isNativeAsked)
  ledger.arrive(arrivedToken, hex(bridge[5]), arrivingAmount, steps === null ? "EXACTLY" : "AT_LEAST")
  return true
}
