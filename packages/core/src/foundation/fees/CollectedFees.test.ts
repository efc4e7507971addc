import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { anAddress } from "../primitives/ids.fixture.ts"
import { Address } from "../primitives/index.ts"
import { type CollectedFees, collectFees, type FeeCollectors, feePayments, listedFees } from "./CollectedFees.ts"
import type { FeeRequest } from "./FeeRequest.ts"

const [treasury, operatorTreasury, extraRecipient] = [anAddress(), anAddress(), anAddress()]
const token = {
  chainId: 137,
  address: anAddress(),
  name: "T",
  symbol: "T",
  decimals: 6,
  realWorldAsset: false
} as const

const collectorsWith = (fields: Partial<FeeCollectors> = {}): FeeCollectors => ({
  treasury,
  operatorTreasury,
  operatorSharePercent: 25,
  ...fields
})
const request: FeeRequest = { transactionFeePercent: 1, extraFee: { percentage: 2, toAddress: extraRecipient } }

const feesOf = (
  amount: bigint,
  gasFee: bigint,
  feeRequest: FeeRequest,
  feeCollectors: FeeCollectors
): CollectedFees | null => Option.getOrNull(collectFees(amount, gasFee, feeRequest, feeCollectors))

describe("collectFees", () => {
  it("computes each percentage from the full amount, and subtracts the operator's share from the treasury's", () => {
    assert.deepStrictEqual(feesOf(1_000_000n, 5_000n, request, collectorsWith()), {
      gasFee: 5_000n,
      transactionFee: 10_000n,
      extraFee: 20_000n,
      net: 965_000n,
      treasuryFee: 7_500n,
      operatorFee: 2_500n
    })
  })

  it("charges no transaction fee, and none for the operator, if the project has no treasury", () => {
    const fees = feesOf(1_000_000n, 0n, request, collectorsWith({ treasury: null }))!
    assert.deepStrictEqual([fees.transactionFee, fees.treasuryFee, fees.operatorFee], [0n, 0n, 0n])
    assert.strictEqual(fees.net, 980_000n)
  })

  it("rounds the operator's share down, in favour of the project", () => {
    const fees = feesOf(399n, 0n, { transactionFeePercent: 1 }, collectorsWith())!
    assert.deepStrictEqual([fees.transactionFee, fees.treasuryFee, fees.operatorFee], [3n, 3n, 0n])
  })

  it("computes percentages with decimals exactly, and rounds them down", () => {
    const request = { transactionFeePercent: 0.3, extraFee: { percentage: 1.25, toAddress: extraRecipient } }
    const fees = feesOf(1_000_000_000n, 5_000_000n, request, collectorsWith())!
    assert.deepStrictEqual([fees.transactionFee, fees.extraFee, fees.net], [3_000_000n, 12_500_000n, 979_500_000n])
    const tenthPercentRequest = { transactionFeePercent: 0.1, extraFee: { percentage: 0.1, toAddress: extraRecipient } }
    assert.strictEqual(feesOf(999n, 0n, tenthPercentRequest, collectorsWith())!.net, 999n)
  })

  it("returns nothing if no amount remains", () => {
    assert.isNull(feesOf(100n, 97n, request, collectorsWith()))
    assert.isNotNull(feesOf(100n, 96n, request, collectorsWith()))
    const allFees = { transactionFeePercent: 60, extraFee: { percentage: 40, toAddress: extraRecipient } }
    assert.isNull(feesOf(100n, 0n, allFees, collectorsWith()))
    assert.isNull(feesOf(0n, 0n, { transactionFeePercent: 0 }, collectorsWith()))
  })

  const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 }))
  const Units = (minimum: bigint) => Schema.BigInt.check(Schema.isBetweenBigInt({ minimum, maximum: 2n ** 128n }))
  const Recipient = Schema.NullOr(Address.check(Schema.isPattern(/^0x[ab]{40}$/u)))

  it.prop(
    "has parts that sum to the amount, and pays no recipient if nothing was collected",
    {
      amount: Units(1n),
      gasFee: Units(0n),
      percent: Percent,
      extra: Schema.NullOr(Percent),
      share: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
      hasTreasury: Schema.Boolean,
      hasOperator: Schema.Boolean
    },
    ({ amount, extra, gasFee, hasOperator, hasTreasury, percent, share }) => {
      const feeRequest: FeeRequest = {
        transactionFeePercent: percent,
        ...(extra === null ? {} : { extraFee: { percentage: extra, toAddress: extraRecipient } })
      }
      const feeCollectors: FeeCollectors = {
        treasury: hasTreasury ? treasury : null,
        operatorTreasury: hasOperator ? operatorTreasury : null,
        operatorSharePercent: share
      }
      const fees = feesOf(amount, gasFee % amount, feeRequest, feeCollectors)
      if (fees === null) return true
      const payments = feePayments(fees, feeRequest, feeCollectors)
      const paidAmount = payments.reduce((sum, payment) => sum + payment.amount, 0n)
      return (
        fees.gasFee + fees.transactionFee + fees.extraFee + fees.net === amount &&
        fees.treasuryFee + fees.operatorFee === fees.transactionFee &&
        [fees.treasuryFee, fees.operatorFee, fees.extraFee].every((part) => part >= 0n) &&
        fees.net > 0n &&
        // All collected fees are paid to recipients. A fee without a recipient is not collected.
        paidAmount === fees.transactionFee + fees.extraFee &&
        payments.every((payment) => payment.amount > 0n)
      )
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop("pays only the given recipients", { who: Recipient }, ({ who }) => {
    const feeCollectors = collectorsWith({ treasury: who, operatorTreasury: null })
    const request = { transactionFeePercent: 1 }
    const fees = feesOf(1_000_000n, 0n, request, feeCollectors)!
    return feePayments(fees, request, feeCollectors).every(({ recipient }) => recipient === who)
  })
})

describe("listedFees", () => {
  const feeRowsOf = (feeRequest: FeeRequest, feeCollectors: FeeCollectors) =>
    listedFees(token, feesOf(1_000_000n, 0n, feeRequest, feeCollectors)!, feeRequest, feeCollectors).map(
      ({ amount, toAddress, type }) => [type, amount, toAddress]
    )

  it("lists the collected fees by recipient, with the operator's share in the treasury's", () => {
    assert.deepStrictEqual(feeRowsOf(request, collectorsWith()), [
      ["SERVICE", 10_000n, treasury],
      ["EXTRA", 20_000n, extraRecipient]
    ])
  })

  it("omits fees that were not requested or have no recipient", () => {
    assert.deepStrictEqual(feeRowsOf({ transactionFeePercent: 0 }, collectorsWith()), [])
    assert.deepStrictEqual(feeRowsOf({ transactionFeePercent: 1 }, collectorsWith({ treasury: null })), [])
  })
})
