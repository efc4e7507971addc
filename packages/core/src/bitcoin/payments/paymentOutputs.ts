import { Result } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import {
  type BitcoinAddress,
  decimalFromBaseUnits,
  type HexBytes,
  ratioFromPercent,
  shareRoundingDown
} from "../../foundation/primitives/index.ts"
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

const belowDustError = (path: string, recipient: string, value: bigint, dust: bigint, minAmount: bigint) =>
  BadRequest.of(
    path,
    "below_dust",
    `${recipient} would get ${bitcoinText(value)}, and nodes do not relay an output of less than ${bitcoinText(dust)} to this address. The minimum amount is ${bitcoinText(minAmount)}.`
  )

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

const shareRefusal = (shareAmount: bigint, share: DeductedFee): BadRequest | null => {
  const dust = dustLimit(share.script)
  if (shareAmount >= dust) return null
  const millionths = BigInt(Math.round(share.percentage * 1_000_000))
  const minAmount = (dust * 100_000_000n + millionths - 1n) / millionths
  const { path, who } = feeLabels[share.role]
  return belowDustError(path, who, shareAmount, dust, minAmount)
}

const receiverRefusal = (requestedOutput: RequestedOutput, net: bigint): BadRequest | null => {
  const dust = dustLimit(requestedOutput.script)
  return net < dust
    ? belowDustError(requestedOutput.path, "The receiver", net, dust, requestedOutput.value + dust - net)
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
  const refusals = [
    ...shares.map((share, at) => shareRefusal(totals[at]!, share)),
    ...requestedOutputs.map((one, at) => receiverRefusal(one, nets[at]!))
  ]
  const refusal = refusals.find((one) => one !== null)
  return refusal == null
    ? Result.succeed([
        ...requestedOutputs.map(({ script }, at) => ({ script, value: nets[at]! })),
        ...shares.map(({ script }, at) => ({ script, value: totals[at]! }))
      ])
    : Result.fail(refusal)
}
