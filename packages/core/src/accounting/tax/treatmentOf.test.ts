import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { batchDetails } from "../../trading/batch/index.ts"
import { type Movement, TransactionType } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import { withInterest } from "./interest.ts"
import { treatmentOf } from "./treatmentOf.ts"

const tokens = [anAddress(), anAddress(), anAddress()]
const counterparties = [anAddress(), anAddress()]
const account = anAddress()

const choice = (count: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: count - 1 }))
const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n }))

const AnyMovement = Schema.Struct({
  direction: Schema.Literals(["IN", "OUT"]),
  role: Schema.Literals(["PRINCIPAL", "PRINCIPAL", "FEE", "GAS"]),
  token: choice(3),
  counterparty: choice(2),
  amount: Amount
})

const AnyElement = Schema.Struct({ isSwap: Schema.Boolean, token: choice(2), amount: Amount, amountOut: Amount })

describe.each(TransactionType.literals)("%s", (type) => {
  it.prop(
    "covers every movement completely with legs, before and after interest is separated",
    {
      movements: Schema.Array(AnyMovement).check(Schema.isMaxLength(8)),
      elements: Schema.Array(AnyElement).check(Schema.isMaxLength(4))
    },
    ({ elements, movements }) => {
      const accountMovements = movements.map(
        ({ amount, counterparty, direction, role, token }): Movement =>
          aMovement({
            account,
            asset: { chainId: 1, token: tokens[token]! },
            direction,
            role,
            amount,
            counterparty: counterparties[counterparty]!
          })
      )
      const details = batchDetails.of(
        elements.map(({ amount, amountOut, isSwap, token }) =>
          isSwap
            ? {
                type: "swap",
                tokenIn: tokens[token]!,
                amountIn: amount,
                tokenOut: tokens[token + 1]!,
                amountOut,
                toAddress: account,
                payers: [counterparties[0]!]
              }
            : { type: "transfer", token: tokens[token]!, amount, toAddress: counterparties[1]! }
        )
      )
      const entries = treatmentOf[type]({
        transaction: { id: "one", type, details },
        movements: accountMovements,
        isOwn: (address) => address === counterparties[0]
      })
      for (const treatedEntries of [entries, withInterest(entries)]) {
        const legs = treatedEntries.flatMap((entry) => entry.legs)
        assert.isTrue(legs.every(({ amount }) => amount > 0n))
        for (const movement of accountMovements) {
          const movementLegs = legs.filter((leg) => leg.movement === movement)
          assert.strictEqual(
            movementLegs.reduce((sum, { amount }) => sum + amount, 0n),
            movement.amount
          )
        }
      }
    }
  )
})
