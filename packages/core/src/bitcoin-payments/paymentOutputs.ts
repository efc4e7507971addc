import { Result } from "effect"
import { bitcoinCoin, dustLimit, type Output } from "../bitcoin/index.ts"
import { BadRequest } from "../errors/index.ts"
import {
  type BitcoinAddress,
  decimalFromBaseUnits,
  type HexBytes,
  ratioFromPercent,
  shareRoundingDown
} from "../primitives/index.ts"

/** What someone else than the receiver gets of an amount. */
export interface AmountShare {
  readonly role: "EXTRA_FEE" | "SERVICE_FEE"
  readonly address: BitcoinAddress
  readonly script: HexBytes
  /** Of the whole amount, before other shares. More than zero. */
  readonly percentage: number
}

const inCoin = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinCoin.decimals)} BTC`

const tooLittle = (path: string, who: string, value: bigint, dust: bigint, least: bigint) =>
  BadRequest.of(
    path,
    "below_dust",
    `${who} would get ${inCoin(value)}, and nodes relay no output of less than ${inCoin(dust)} there. The least amount that would do is ${inCoin(least)}.`
  )

const words = {
  EXTRA_FEE: { path: "extraFee", who: "The extra fee's receiver" },
  SERVICE_FEE: { path: "transactionFeePercent", who: "The project's treasury" }
} as const

/** Rounded down, so that no more is taken than was agreed. */
const valueOf = (amount: bigint, { percentage }: AmountShare): bigint =>
  shareRoundingDown(amount, ratioFromPercent(percentage))

const refusalOrNull = (amount: bigint, share: AmountShare): BadRequest | null => {
  const [dust, value] = [dustLimit(share.script), valueOf(amount, share)]
  if (value >= dust) return null
  const millionths = BigInt(Math.round(share.percentage * 1_000_000))
  const least = (dust * 100_000_000n + millionths - 1n) / millionths
  const { path, who } = words[share.role]
  return tooLittle(path, who, value, dust, least)
}

/** The outputs that an amount is divided into, the receiver's first; refused where one is less than nodes relay. */
export const divideAmount = (
  amount: bigint,
  receiver: HexBytes,
  shares: ReadonlyArray<AmountShare>
): Result.Result<ReadonlyArray<Output>, BadRequest> => {
  const refusal = shares.map((share) => refusalOrNull(amount, share)).find((one) => one !== null)
  if (refusal !== undefined) return Result.fail(refusal)
  const paid = shares.map((share) => ({ script: share.script, value: valueOf(amount, share) }))
  const net = amount - paid.reduce((sum, { value }) => sum + value, 0n)
  const dust = dustLimit(receiver)
  if (net < dust) return Result.fail(tooLittle("amount", "The receiver", net, dust, amount + dust - net))
  return Result.succeed([{ script: receiver, value: net }, ...paid])
}
