import { makeCallDecoder } from "./abi.ts"
import type { Call } from "./accounts.ts"
import { percentRoundingDown } from "./amounts.ts"
import { type EnterCall, enterArrival } from "./arrivals.ts"
import { type Bytes, sizeOf, Unreadable } from "./bytes.ts"
import { ZERO } from "./contracts.ts"
import type { Bridge, Ledger } from "./ledger.ts"
import { hex, type List, number } from "./routerWords.ts"
import { filledToken, parityOf } from "./spokePools.ts"

/** Minimum time that relayers must have to fill a deposit. The SpokePools themselves require less. */
const MIN_FILL_SECONDS = 1_800n
const MAX_FILL_SECONDS = 21_600n

/** A deposit on this chain, and a relayer's payment for it on another chain. */
export interface Fill {
  readonly chainId: number
  readonly input: Bytes
  readonly inputAmount: bigint
  readonly output: Bytes
  readonly outputAmount: bigint
}

/**
 * Returns the amount of the output token that equals the deposit at par; zero if the output is a different token.
 * Reports a deposit that no relayer would fill, because the output is a different token or exceeds that amount.
 */
export const valueAtParity = (ledger: Ledger, bridge: Bridge, fill: Fill): bigint => {
  const { chainId, input, inputAmount, output, outputAmount } = fill
  const par = parityOf(bridge, chainId, { input, output }, inputAmount)
  if (par === null || outputAmount > par)
    ledger.report(
      "gives_too_little",
      `No relayer would pay ${outputAmount} of ${output} on chain ${chainId} for ${inputAmount} of ${input}.`
    )
  return par ?? 0n
}

/**
 * Reports a bridge fee above the maximum. The relayer keeps the difference between the deposit and its fill. A minimum
 * output of a swap on arrival does not limit this fee, because the receiver gets only the fill if the swap fails.
 */
const checkBridgeFee = (
  ledger: Ledger,
  { maxFeePercent }: Bridge,
  { chainId, output, outputAmount }: Fill,
  par: bigint
) => {
  const minAmount = par - percentRoundingDown(par, maxFeePercent)
  if (outputAmount < minAmount)
    ledger.report(
      "gives_too_little",
      `The fill delivers ${outputAmount} base units of ${output} on chain ${chainId} for a deposit worth ${par}, so the bridge fee is above ${maxFeePercent} %. To allow a higher fee, set \`trust.maxBridgeFeePercent\`.`
    )
}

const deposit = (ledger: Ledger, bridge: Bridge, value: bigint, args: List, enter: EnterCall): void => {
  const [depositor, recipient, input, output] = args.slice(0, 4).map(hex) as [Bytes, Bytes, Bytes, Bytes]
  const [inputAmount, outputAmount, destination] = args.slice(4, 7).map(number) as [bigint, bigint, bigint]
  const [relayer, fillSeconds, exclusivityParameter, message] = [
    hex(args[7]),
    number(args[8]),
    number(args[9]),
    hex(args[10])
  ]
  const chainId = Number(destination)
  if (depositor !== ledger.wallet)
    ledger.report("pays_somebody_else", `A refund would go to ${depositor} instead of the wallet.`)
  if (relayer !== ZERO || exclusivityParameter !== 0n)
    ledger.report("unknown_call", `Initially only the relayer ${relayer} could fill the deposit.`)
  if (fillSeconds < MIN_FILL_SECONDS || fillSeconds > MAX_FILL_SECONDS)
    ledger.report(
      "wrong_deadline",
      `Relayers would have ${fillSeconds} seconds to fill the deposit, which is too short or too long.`
    )
  const fill: Fill = { chainId, input, inputAmount, output, outputAmount }
  const par = valueAtParity(ledger, bridge, fill)
  if (value === 0n) ledger.pull(input, bridge.pool, inputAmount, "ALLOWANCE")
  else if (input === ledger.wrapped && value === inputAmount) ledger.sendWith(value)
  else throw new Unreadable("the sent amount of native tokens differs from the amount of the deposit")
  if (message === "0x")
    ledger.arrive(filledToken(chainId, output, bridge.isNativeAsked), recipient, outputAmount, "EXACTLY")
  else {
    checkBridgeFee(ledger, bridge, fill, par)
    enterArrival(
      ledger,
      { chainId, handler: recipient, token: output, amount: outputAmount, message, fillSeconds },
      enter
    )
  }
}

const readDeposit = makeCallDecoder({
  "depositV3Now(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,bytes)": deposit
})

/** Matches the marker and integrator id that Across appends to the calldata. The contract does not read them. */
const INTEGRATOR_SUFFIX = /1dc0de[\da-f]{4}$/u

const removeIntegratorSuffix = (data: Bytes): Bytes =>
  sizeOf(data) % 32 === 9 ? (data.replace(INTEGRATOR_SUFFIX, "") as Bytes) : data

/** Records a deposit for another chain in the ledger. Returns false if the call is not a deposit. */
export const enterBridgeCall = (ledger: Ledger, bridge: Bridge, { data, value }: Call, enter: EnterCall): boolean => {
  const bridgeDeposit = readDeposit(removeIntegratorSuffix(data))
  if (bridgeDeposit === null) return false
  bridgeDeposit.definition(ledger, bridge, value, bridgeDeposit.args, enter)
  return true
}
