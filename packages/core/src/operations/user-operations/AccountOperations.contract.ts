import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Address, HexBytes } from "../../foundation/primitives/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { aUserOperation } from "../quotes/Quote.fixture.ts"
import { AccountOperations } from "./AccountOperations.ts"
import type { UserOperation } from "./UserOperation.ts"

/** Contract tests that every `AccountOperations` must pass, for each of these accounts. */
export const accountOperationsContract = <E>(
  name: string,
  layer: Layer.Layer<AccountOperations, E>,
  accounts: ReadonlyArray<Account>
) =>
  withLayer(layer)(`AccountOperations: ${name}`, (it) => {
    const call = {
      to: Address.make(`0x${"01".repeat(20)}`),
      value: 5n,
      data: HexBytes.make("0xdeadbeef"),
      summary: "a call"
    }

    const makeOperation = (account: Account) =>
      Effect.map(AccountOperations, (operations) => {
        const entryPoint = operations.entryPointOf(account)
        return {
          ...aUserOperation(),
          sender: account.address,
          entryPoint: entryPoint.address,
          entryPointVersion: entryPoint.version,
          factory: null,
          factoryData: null,
          authorization: null
        }
      })

    for (const account of accounts) {
      it.effect(`${account.kind}: requires one signature of the operation, different for each operation`, () =>
        Effect.gen(function* () {
          const operations = yield* AccountOperations
          const operation = yield* makeOperation(account)
          const [signDatum, ...others] = operations.buildSignData(account, operation)
          assert.deepStrictEqual(others, [])
          assert.strictEqual(signDatum!.type, "USER_OPERATION")
          const nextOperation = { ...operation, nonce: operation.nonce + 1n }
          assert.notStrictEqual(operations.hash(nextOperation), operations.hash(operation))
          assert.notStrictEqual(operations.buildSignData(account, nextOperation)[0]!.hash, signDatum!.hash)
        })
      )

      it.effect(`${account.kind}: encodes every call with its target, value and data`, () =>
        Effect.gen(function* () {
          const operations = yield* AccountOperations
          const secondCall = { ...call, to: Address.make(`0x${"02".repeat(20)}`), data: HexBytes.make("0xcafebabe") }
          const data = operations.encodeCalls(account, [call, secondCall])
          for (const part of [call.to.slice(2), secondCall.to.slice(2), "deadbeef", "cafebabe"])
            assert.include(data, part)
        })
      )

      it.effect(`${account.kind}: returns a stub signature with the length of a real signature`, () =>
        Effect.gen(function* () {
          const operations = yield* AccountOperations
          const realSignature = operations.wrapSignature(
            account,
            yield* makeOperation(account),
            HexBytes.make(`0x${"11".repeat(65)}`)
          )
          assert.strictEqual(operations.stubSignatureOf(account).length, realSignature.length)
        })
      )

      it.effect(`${account.kind}: covers the deadline with the signature only if signsValidity is true`, () =>
        Effect.gen(function* () {
          const operations = yield* AccountOperations
          const unlimitedOperation = yield* makeOperation(account)
          const expiringOperation = { ...unlimitedOperation, validUntil: 1_900_000_000 }
          const hashOf = (operation: UserOperation) => operations.buildSignData(account, operation)[0]!.hash
          const signature = HexBytes.make(`0x${"11".repeat(65)}`)
          const isSigned = operations.signsValidity(account)
          assert.strictEqual(hashOf(expiringOperation) !== hashOf(unlimitedOperation), isSigned)
          const wrappedSignature = operations.wrapSignature(account, expiringOperation, signature)
          assert.strictEqual(
            wrappedSignature !== operations.wrapSignature(account, unlimitedOperation, signature),
            isSigned
          )
          assert.strictEqual(wrappedSignature.includes((1_900_000_000).toString(16)), isSigned)
        })
      )

      it.effect(`${account.kind}: recovers no signer from an invalid signature`, () =>
        Effect.gen(function* () {
          const operations = yield* AccountOperations
          const [signDatum] = operations.buildSignData(account, yield* makeOperation(account))
          for (const bytes of ["0x", "0x00", `0x${"00".repeat(65)}`, `0x${"ff".repeat(66)}`]) {
            assert.isNull(yield* operations.recoverSigner(signDatum!, HexBytes.make(bytes)), bytes)
          }
        })
      )
    }
  })
