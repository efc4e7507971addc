import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { movementTotalOf } from "../../../accounting/history/index.ts"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { NATIVE_TOKEN, ZERO_ADDRESS } from "../../../foundation/primitives/index.ts"
import { anOutcome } from "../evm.fixture.ts"
import { type MovementScope, movementsOf } from "./movements.ts"

const [wallet, receiver, pool, treasury, paymaster, usdc, weth, scam] = Array.from({ length: 8 }, anAddress) as [
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>,
  ReturnType<typeof anAddress>
]

const scopeWith = (fields: Partial<MovementScope> = {}): MovementScope => ({
  chainId: 137,
  sender: wallet,
  accounts: [wallet],
  paysInNativeToken: true,
  feeRecipients: new Set([treasury]),
  isListed: (token) => token !== scam,
  expected: [],
  movementValueOf: (token, amount) => (token === usdc ? { usd: amount.toString(), usdSource: "FEED" } : { usd: null }),
  leg: 3,
  ...fields
})

/** Formats the movements of an outcome. */
const movementTexts = (outcome: Parameters<typeof movementsOf>[0], fields: Partial<MovementScope> = {}) =>
  movementsOf(outcome, scopeWith(fields)).map(({ account, amount, asset, counterparty, direction, role }) => [
    direction,
    role,
    account,
    "token" in asset ? asset.token : null,
    amount,
    counterparty
  ])

const noGasFields = { actualGasCost: 0n }

const wrapTransfersOf = (amount: bigint) => [
  { token: NATIVE_TOKEN, from: wallet, to: weth, amount },
  { token: weth, from: ZERO_ADDRESS, to: wallet, amount }
]
const unwrapTransfersOf = (amount: bigint) => [
  { token: weth, from: wallet, to: ZERO_ADDRESS, amount },
  { token: NATIVE_TOKEN, from: weth, to: wallet, amount }
]

describe("movementsOf", () => {
  it("returns both sides of a swap, the fee and the gas once each", () => {
    const outcome = anOutcome({
      transfers: [
        { token: usdc, from: wallet, to: treasury, amount: 3n },
        { token: usdc, from: wallet, to: pool, amount: 97n },
        { token: weth, from: pool, to: wallet, amount: 5n }
      ]
    })
    assert.deepStrictEqual(movementTexts(outcome), [
      ["OUT", "FEE", wallet, usdc, 3n, treasury],
      ["OUT", "PRINCIPAL", wallet, usdc, 97n, pool],
      ["IN", "PRINCIPAL", wallet, weth, 5n, pool],
      ["OUT", "GAS", wallet, NATIVE_TOKEN, 21_000n, null]
    ])
    const movements = movementsOf(outcome, scopeWith())
    assert.deepStrictEqual([movements[1]!.usd, movements[1]!.usdSource], ["97", "FEED"])
    assert.isNull(movements[2]!.usd)
    assert.notProperty(movements[2], "usdSource")
    assert.isTrue(movements.every(({ leg, asset }) => leg === 3 && "chainId" in asset && asset.chainId === 137))
    // The outgoing amount includes fees.
    assert.strictEqual(movementTotalOf(movements, "OUT")!.amount, 100n)
    assert.strictEqual(movementTotalOf(movements, "IN")!.amount, 5n)
  })

  it("returns the movements of receivers that the owner selected, and of no others", () => {
    const outcome = anOutcome({
      ...noGasFields,
      transfers: [
        { token: usdc, from: wallet, to: pool, amount: 97n },
        { token: weth, from: pool, to: receiver, amount: 5n },
        { token: weth, from: pool, to: anAddress(), amount: 6n }
      ]
    })
    assert.deepStrictEqual(movementTexts(outcome, { accounts: [wallet, receiver] }), [
      ["OUT", "PRINCIPAL", wallet, usdc, 97n, pool],
      ["IN", "PRINCIPAL", receiver, weth, 5n, pool]
    ])
  })

  it("returns both sides of a transfer between two accounts of the quote", () => {
    const outcome = anOutcome({ ...noGasFields, transfers: [{ token: usdc, from: wallet, to: receiver, amount: 9n }] })
    assert.deepStrictEqual(movementTexts(outcome, { accounts: [wallet, receiver] }), [
      ["OUT", "PRINCIPAL", wallet, usdc, 9n, receiver],
      ["IN", "PRINCIPAL", receiver, usdc, 9n, wallet]
    ])
  })

  it("subtracts a refund from the sent amount", () => {
    const outcome = anOutcome({
      ...noGasFields,
      transfers: [
        { token: usdc, from: wallet, to: pool, amount: 100n },
        { token: usdc, from: pool, to: wallet, amount: 30n },
        { token: weth, from: wallet, to: pool, amount: 4n },
        { token: weth, from: pool, to: wallet, amount: 4n }
      ]
    })
    assert.deepStrictEqual(movementTexts(outcome), [["OUT", "PRINCIPAL", wallet, usdc, 70n, pool]])
  })

  it("does not treat transfers from a fee recipient as fees", () => {
    const outcome = anOutcome({ ...noGasFields, transfers: [{ token: usdc, from: treasury, to: wallet, amount: 3n }] })
    assert.deepStrictEqual(movementTexts(outcome), [["IN", "PRINCIPAL", wallet, usdc, 3n, treasury]])
  })

  it("skips transfers to the same account, and unlisted tokens", () => {
    const outcome = anOutcome({
      ...noGasFields,
      transfers: [
        { token: usdc, from: wallet, to: wallet, amount: 9n },
        { token: scam, from: pool, to: wallet, amount: 10n ** 30n }
      ]
    })
    assert.deepStrictEqual(movementTexts(outcome), [])
  })

  it("separates gas that a paymaster charged in a token from other transfers to the same receiver", () => {
    const transfers = [{ token: usdc, from: wallet, to: paymaster, amount: 3n }]
    const tokenPayment = { token: usdc, from: wallet, to: paymaster, amount: 2n }
    assert.deepStrictEqual(movementTexts(anOutcome({ transfers, tokenPayment })), [
      ["OUT", "PRINCIPAL", wallet, usdc, 3n, paymaster],
      ["OUT", "GAS", wallet, usdc, 2n, paymaster]
    ])
  })

  it("returns no gas payment if a paymaster paid and charged nothing", () => {
    assert.deepStrictEqual(movementsOf(anOutcome({ actualGasCost: 5n }), scopeWith({ paysInNativeToken: false })), [])
  })

  describe("Movements of wrapped native tokens", () => {
    it("are native token movements between the account and the market that receives or pays the wrapped token", () => {
      const supplyTransfers = [...wrapTransfersOf(2n), { token: weth, from: wallet, to: pool, amount: 2n }]
      assert.deepStrictEqual(movementTexts(anOutcome({ ...noGasFields, transfers: supplyTransfers })), [
        ["OUT", "PRINCIPAL", wallet, NATIVE_TOKEN, 2n, pool]
      ])
      const borrowTransfers = [{ token: weth, from: pool, to: wallet, amount: 2n }, ...unwrapTransfersOf(2n)]
      assert.deepStrictEqual(movementTexts(anOutcome({ ...noGasFields, transfers: borrowTransfers })), [
        ["IN", "PRINCIPAL", wallet, NATIVE_TOKEN, 2n, pool]
      ])
    })

    it("include wrapped tokens that stay in the wallet, after the other movements", () => {
      const repayTransfers = [
        ...wrapTransfersOf(5n),
        { token: weth, from: wallet, to: pool, amount: 4n },
        { token: usdc, from: pool, to: wallet, amount: 9n }
      ]
      assert.deepStrictEqual(movementTexts(anOutcome({ ...noGasFields, transfers: repayTransfers })), [
        ["OUT", "PRINCIPAL", wallet, NATIVE_TOKEN, 4n, pool],
        ["IN", "PRINCIPAL", wallet, usdc, 9n, pool],
        ["OUT", "PRINCIPAL", wallet, NATIVE_TOKEN, 1n, weth],
        ["IN", "PRINCIPAL", wallet, weth, 1n, ZERO_ADDRESS]
      ])
      const withdrawTransfers = [{ token: weth, from: pool, to: wallet, amount: 5n }, ...unwrapTransfersOf(4n)]
      assert.deepStrictEqual(movementTexts(anOutcome({ ...noGasFields, transfers: withdrawTransfers })), [
        ["IN", "PRINCIPAL", wallet, NATIVE_TOKEN, 4n, pool],
        ["IN", "PRINCIPAL", wallet, weth, 1n, pool]
      ])
    })

    it("are the on-chain movements if the operation must wrap, or send the wrapped token", () => {
      const wrapMovements = [
        ["OUT", "PRINCIPAL", wallet, NATIVE_TOKEN, 2n, weth],
        ["IN", "PRINCIPAL", wallet, weth, 2n, ZERO_ADDRESS]
      ]
      assert.deepStrictEqual(
        movementTexts(anOutcome({ ...noGasFields, transfers: wrapTransfersOf(2n) })),
        wrapMovements
      )
      const wrapAndSendTransfers = [...wrapTransfersOf(2n), { token: weth, from: wallet, to: pool, amount: 2n }]
      const expectedOn = (chainId: 137 | 10): Pick<MovementScope, "expected"> => {
        const asset = { chainId, token: weth }
        const commonFields = { account: wallet, asset, amount: 2n, usd: null, counterparty: pool, leg: 0 }
        return { expected: [{ ...commonFields, direction: "OUT", role: "PRINCIPAL" }] }
      }
      const outcome = anOutcome({ ...noGasFields, transfers: wrapAndSendTransfers })
      assert.deepStrictEqual(movementTexts(outcome, expectedOn(137)), [
        ...wrapMovements,
        ["OUT", "PRINCIPAL", wallet, weth, 2n, pool]
      ])
      // A token may have the same address on another chain.
      assert.deepStrictEqual(movementTexts(outcome, expectedOn(10)), [
        ["OUT", "PRINCIPAL", wallet, NATIVE_TOKEN, 2n, pool]
      ])
    })
  })

  const parties = [wallet, receiver, pool, treasury, paymaster, weth, ZERO_ADDRESS] as const
  const tokens = [usdc, weth, scam, NATIVE_TOKEN] as const
  const Transfers = Schema.Array(
    Schema.Struct({
      token: Schema.Literals(tokens),
      from: Schema.Literals(parties),
      to: Schema.Literals(parties),
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 130n }))
    })
  ).check(Schema.isMaxLength(12))

  const GeneratedWraps = Schema.Array(
    Schema.Struct({
      isWrapped: Schema.Boolean,
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 130n }))
    })
  ).check(Schema.isMaxLength(3))

  it.prop(
    "add up to the transfers of every account and listed token",
    { others: Transfers, wraps: GeneratedWraps, isPaidInToken: Schema.Boolean },
    ({ isPaidInToken, others, wraps }) => {
      const transfers = [
        ...wraps.flatMap(({ amount, isWrapped }) => (isWrapped ? wrapTransfersOf(amount) : unwrapTransfersOf(amount))),
        ...others
      ]
      const tokenPayment = isPaidInToken
        ? (transfers.find(({ from, to, token }) => from === wallet && to === paymaster && token === usdc) ?? null)
        : null
      const accounts = [wallet, receiver]
      const movements = movementsOf(anOutcome({ ...noGasFields, transfers, tokenPayment }), scopeWith({ accounts }))
      return accounts.every((account) =>
        tokens.every((token) => {
          const netTransferred = [...transfers, ...(tokenPayment === null ? [] : [tokenPayment])]
            .filter((transfer) => transfer.token === token)
            .reduce(
              (sum, { amount, from, to }) => sum + (to === account ? amount : 0n) - (from === account ? amount : 0n),
              0n
            )
          const movementSum = movements
            .filter((one) => one.account === account && "token" in one.asset && one.asset.token === token)
            .reduce((sum, { amount, direction }) => sum + (direction === "IN" ? amount : -amount), 0n)
          return movementSum === (token === scam ? 0n : netTransferred)
        })
      )
    },
    { arbitrary: { runs: 300 } }
  )
})
