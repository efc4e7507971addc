import { assert, describe, it } from "@effect/vitest"
import type { Movement } from "../../../accounting/history/index.ts"
import { aDraft, aMovement } from "../../../accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { NATIVE_TOKEN } from "../../../foundation/primitives/index.ts"
import { anOperationIntent, aQuote } from "../../quotes/Quote.fixture.ts"
import { reservationOf } from "./reservationOf.ts"

const [wallet, dollars, ether] = [anAddress(), anAddress(), anAddress()]

const movementOf = (
  direction: Movement["direction"],
  token: typeof dollars,
  amount: bigint,
  fields: Partial<Movement> = {}
) => aMovement({ direction, account: wallet, asset: { chainId: 137, token }, amount, ...fields })

const operationWithGas = (token: typeof dollars, maxToken: bigint) =>
  anOperationIntent({
    gas: { token, maxWei: 10n ** 16n, maxToken, expectedToken: 1n, unpaidWei: 0n, isFirstUse: false }
  })

const spendingOf = (expected: ReadonlyArray<Movement>, ...intents: ReturnType<typeof operationWithGas>[]) =>
  reservationOf(aQuote({ walletAddress: wallet, intents, transaction: aDraft({ expected }) }))?.spending

describe("reservationOf", () => {
  it("reserves everything that leaves the wallet, including fees, and the maximum gas cost", () => {
    const expected = [
      movementOf("OUT", dollars, 90n),
      movementOf("OUT", dollars, 10n, { role: "FEE" }),
      movementOf("IN", ether, 3n),
      movementOf("OUT", ether, 50n, { account: anAddress() })
    ]
    assert.deepStrictEqual(spendingOf(expected, operationWithGas(dollars, 7n)), [
      { token: dollars, value: 100n, gas: 7n }
    ])
    assert.deepStrictEqual(spendingOf(expected, operationWithGas(NATIVE_TOKEN, 7n)), [
      { token: dollars, value: 100n, gas: 0n },
      { token: NATIVE_TOKEN, value: 0n, gas: 7n }
    ])
  })

  it("does not reserve fees after the block of its operations", () => {
    const expected = [movementOf("OUT", dollars, 90n), movementOf("OUT", dollars, 10n, { role: "FEE" })]
    const uses = [{ resource: "an allowance", isExclusive: true, until: "submission" }]
    const intents = [operationWithGas(dollars, 7n)]
    const quote = aQuote({ walletAddress: wallet, intents, uses, transaction: aDraft({ expected }) })
    assert.deepStrictEqual(reservationOf(quote)?.spending, [{ token: dollars, value: 100n, held: 90n, gas: 7n }])
  })

  it("uses the output of a swap for later transfers of the operation, but not for earlier ones", () => {
    const [swapMovements, transferMovement] = [
      [movementOf("OUT", dollars, 90n), movementOf("IN", ether, 30n)],
      movementOf("OUT", ether, 40n)
    ]
    const etherReservation = (expected: ReadonlyArray<Movement>) =>
      spendingOf(expected, operationWithGas(dollars, 0n))!.find(({ token }) => token === ether)
    assert.deepStrictEqual(etherReservation([...swapMovements, transferMovement]), {
      token: ether,
      value: 10n,
      gas: 0n
    })
    assert.deepStrictEqual(etherReservation([transferMovement, ...swapMovements]), {
      token: ether,
      value: 40n,
      gas: 0n
    })
  })

  it("adds up the gas of several operations, and excludes other chains and fiat", () => {
    const expected = [
      movementOf("OUT", dollars, 5n, { asset: { chainId: 1, token: dollars } }),
      movementOf("OUT", dollars, 5n, { asset: { currency: "EUR" } })
    ]
    assert.deepStrictEqual(spendingOf(expected, operationWithGas(dollars, 7n), operationWithGas(dollars, 8n)), [
      { token: dollars, value: 0n, gas: 15n }
    ])
  })

  it("returns null for a quote without user operations", () => {
    assert.isNull(reservationOf(aQuote({ walletAddress: aBitcoinAddress(), intents: [] })))
  })
})
