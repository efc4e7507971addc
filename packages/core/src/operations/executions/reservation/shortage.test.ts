import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import type { Spending } from "./Reservation.ts"
import { type Holding, shortageOf } from "./shortage.ts"

const [token, otherToken] = [anAddress(), anAddress()]

const spendingOf = (value: bigint, gas = 0n, spentToken = token): Spending => ({ token: spentToken, value, gas })
const holdingOf =
  (balance: bigint, prepaidGas = 0n) =>
  (): Holding => ({ balance, prepaidGas })

describe("shortageOf", () => {
  it("adds up the sent amounts and the maximum gas costs of this operation and the others", () => {
    const otherSpendings = [spendingOf(50n, 5n), spendingOf(20n, 4n)]
    assert.isNull(shortageOf([spendingOf(18n, 3n)], otherSpendings, holdingOf(100n)))
    const { balance, needed, promised } = shortageOf([spendingOf(18n, 3n)], otherSpendings, holdingOf(99n))!
    assert.deepStrictEqual([balance, promised, needed], [99n, 79n, 21n])
  })

  it("ignores gas if no other operation needs its token", () => {
    assert.isNull(shortageOf([spendingOf(18n, 3n)], [], holdingOf(18n)))
    assert.isNull(shortageOf([spendingOf(18n, 3n)], [spendingOf(1n, 1n, otherToken)], holdingOf(18n)))
    assert.isNotNull(shortageOf([spendingOf(18n, 3n)], [], holdingOf(17n)))
  })

  it("returns the token whose balance is too low", () => {
    const bothSpendings = [spendingOf(1n), spendingOf(7n, 0n, otherToken)]
    const shortage = shortageOf(bothSpendings, bothSpendings, (of) => ({
      balance: of === token ? 2n : 13n,
      prepaidGas: 0n
    }))
    assert.strictEqual(shortage?.token, otherToken)
  })

  it("uses prepaid gas only for gas", () => {
    assert.isNull(shortageOf([spendingOf(5n, 10n)], [spendingOf(5n, 10n)], holdingOf(10n, 20n)))
    assert.isNotNull(shortageOf([spendingOf(5n, 10n)], [spendingOf(5n, 10n)], holdingOf(9n, 1_000n)))
    assert.strictEqual(shortageOf([spendingOf(5n, 10n)], [spendingOf(5n, 10n)], holdingOf(10n, 15n))?.needed, 10n)
  })

  const Units = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 100n }))
  const Operation = Schema.Struct({ value: Units, gas: Units, paidGas: Units, order: Units })
  const generatedOperations = {
    balance: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 600n })),
    prepaidGas: Units,
    operations: Schema.Array(Operation).check(Schema.isMaxLength(12))
  }
  type Operation = typeof Operation.Type

  /**
   * Returns whether an account can execute all operations one after another. Each operation pays its maximum gas cost
   * in advance, and the refund goes to the deposit, as for the native token.
   */
  const canExecute = (operations: ReadonlyArray<Operation>, balance: bigint, deposit: bigint): boolean => {
    for (const { gas, paidGas, value } of operations) {
      if (gas > deposit) {
        balance -= gas - deposit
        deposit = gas
      }
      if (balance < value) return false
      balance -= value
      deposit -= paidGas % (gas + 1n)
    }
    return balance >= 0n
  }

  const selectAccepted = (operations: ReadonlyArray<Operation>, balance: bigint, prepaidGas: bigint) => {
    const acceptedOperations: Array<Operation> = []
    for (const operation of operations) {
      if (!canExecute([operation], balance, prepaidGas)) continue
      if (
        shortageOf(
          [{ token, ...operation }],
          acceptedOperations.map((one) => ({ token, ...one })),
          holdingOf(balance, prepaidGas)
        )
      )
        continue
      acceptedOperations.push(operation)
    }
    return acceptedOperations
  }

  it.prop(
    "never reserves an amount twice: all accepted operations can be executed, in any order and with any gas cost",
    generatedOperations,
    ({ balance, operations, prepaidGas }) => {
      const acceptedOperations = selectAccepted(operations, balance, prepaidGas)
      return canExecute(
        acceptedOperations.toSorted((a, b) => Number(a.order - b.order)),
        balance,
        prepaidGas
      )
    },
    { arbitrary: { runs: 1_000 } }
  )

  it.prop(
    "accepts all operations if the balance covers them",
    generatedOperations,
    ({ operations, prepaidGas }) => {
      const enoughBalance = operations.reduce((sum, { gas, value }) => sum + gas + value, 0n)
      return selectAccepted(operations, enoughBalance, prepaidGas).length === operations.length
    },
    { arbitrary: { runs: 1_000 } }
  )
})
