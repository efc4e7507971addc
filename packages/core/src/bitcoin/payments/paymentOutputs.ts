import { Result } from "effect"
import type { BadRequest, RequestProblem } from "../../foundation/errors/index.ts"
import {
  type BitcoinAddress,
  decimalFromBaseUnits,
  type HexBytes,
  mulDivRoundingUp,
  ratioFromPercent,
  shareRoundingDown
} from "../../foundation/primitives/index.ts"
import { requireNoProblems } from "../../operations/quotes/index.ts"
import { bitcoinToken, dustLimit, type Output } from "../chain/index.ts"

/** A fee that is deducted from the payment's amounts. */
export interface DeductedFee {
  readonly role: "EXTRA_FEE" | "SERVICE_FEE"
  readonly address: BitcoinAddress
  readonly script: HexBytes
  /** Percentage of each full amount, above zero. */
  readonly percentage: number
}

const bitcoinText = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinToken.decimals)} BTC`

const belowDustProblem = (
  path: string,
  recipient: string,
  value: bigint,
  dust: bigint,
  minAmount: bigint
): RequestProblem => ({
  path,
  code: "below_dust",
  message: `${recipient} would get ${bitcoinText(value)}, and nodes do not relay an output of less than ${bitcoinText(dust)} to this address. The minimum amount is ${bitcoinText(minAmount)}.`
})

const feeLabels = {
  EXTRA_FEE: { path: "extraFee", who: "The extra fee's receiver" },
  SERVICE_FEE: { path: "transactionFeePercent", who: "The project's treasury" }
} as const

/** A requested output, before fees are deducted. */
export interface RequestedOutput extends Output {
  /** The path of the amount in the request. */
  readonly path: string
}

/** Returns the fee on an amount. Rounded down, so that the fee is never above the agreed percentage. */
const deductedAmountOf = (amount: bigint, { percentage }: DeductedFee): bigint =>
  shareRoundingDown(amount, ratioFromPercent(percentage))

const shareProblem = (shareAmount: bigint, share: DeductedFee): RequestProblem | null => {
  const dust = dustLimit(share.script)
  if (shareAmount >= dust) return null
  const { denominator, numerator } = ratioFromPercent(share.percentage)
  const { path, who } = feeLabels[share.role]
  return belowDustProblem(path, who, shareAmount, dust, mulDivRoundingUp(dust, denominator, numerator))
}

const receiverProblem = (requestedOutput: RequestedOutput, net: bigint): RequestProblem | null => {
  const dust = dustLimit(requestedOutput.script)
  return net < dust
    ? belowDustProblem(requestedOutput.path, "The receiver", net, dust, requestedOutput.value + dust - net)
    : null
}

/**
 * Splits amounts into outputs: first each receiver's amount minus its fees, then each fee as a total over all amounts.
 * Rejects outputs below the dust limit.
 */
export const divideAmounts = (
  requestedOutputs: ReadonlyArray<RequestedOutput>,
  shares: ReadonlyArray<DeductedFee>
): Result.Result<ReadonlyArray<Output>, BadRequest> => {
  const shareAmounts = shares.map((share) => requestedOutputs.map(({ value }) => deductedAmountOf(value, share)))
  const totals = shareAmounts.map((each) => each.reduce((sum, one) => sum + one, 0n))
  const nets = requestedOutputs.map(({ value }, at) => shareAmounts.reduce((net, each) => net - each[at]!, value))
  return Result.map(
    requireNoProblems([
      ...shares.map((share, at) => shareProblem(totals[at]!, share)),
      ...requestedOutputs.map((one, at) => receiverProblem(one, nets[at]!))
    ]),
    () => [
      ...requestedOutputs.map(({ script }, at) => ({ script, value: nets[at]! })),
      ...shares.map(({ script }, at) => ({ script, value: totals[at]! }))
    ]
  )
}
