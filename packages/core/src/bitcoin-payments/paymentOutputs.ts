import { Result } from "effect"
import { bitcoinCoin, dustLimit, type Output } from "../bitcoin/index.ts"
import { BadRequest } from "../errors/index.ts"
import { decimalFromBaseUnits, type HexBytes, ratioFromPercent, shareRoundingDown } from "../primitives/index.ts"

export interface DividedAmount {
  /** The receiver's, and the extra fee's where there is one. */
  readonly outputs: ReadonlyArray<Output>
}

const inCoin = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinCoin.decimals)} BTC`

const tooLittle = (path: string, who: string, value: bigint, dust: bigint, least: bigint) =>
  Result.fail(
    BadRequest.of(
      path,
      "below_dust",
      `${who} would get ${inCoin(value)}, and nodes relay no output of less than ${inCoin(dust)} there. The least amount that would do is ${inCoin(least)}.`
    )
  )

/** The outputs that an amount is divided into; refused where one is less than nodes relay. */
export const divideAmount = (
  amount: bigint,
  receiver: HexBytes,
  extra: { readonly script: HexBytes; readonly percentage: number } | null
): Result.Result<DividedAmount, BadRequest> => {
  const fee =
    extra === null || extra.percentage === 0 ? 0n : shareRoundingDown(amount, ratioFromPercent(extra.percentage))
  if (extra !== null && extra.percentage > 0) {
    const dust = dustLimit(extra.script)
    const hundredths = BigInt(Math.round(extra.percentage * 1_000_000))
    const least = (dust * 100_000_000n + hundredths - 1n) / hundredths
    if (fee < dust) return tooLittle("extraFee", "The extra fee's receiver", fee, dust, least)
  }
  const net = amount - fee
  const dust = dustLimit(receiver)
  if (net < dust) return tooLittle("amount", "The receiver", net, dust, amount + dust - net)
  const outputs = [{ script: receiver, value: net }]
  return Result.succeed({ outputs: fee === 0n ? outputs : [...outputs, { script: extra!.script, value: fee }] })
}
