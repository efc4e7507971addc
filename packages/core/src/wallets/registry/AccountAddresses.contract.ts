import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { AccountAddresses } from "./AccountAddresses.ts"
import { anAccount } from "./Wallet.fixture.ts"

/** Contract tests that every `AccountAddresses` must pass. */
export const accountAddressesContract = <E>(name: string, addresses: Layer.Layer<AccountAddresses, E>): void => {
  layer(addresses, { excludeTestServices: true })(`AccountAddresses of ${name}`, (it) => {
    it.effect("lists each factory once", () =>
      Effect.gen(function* () {
        const { factories } = yield* AccountAddresses
        assert.isNotEmpty(factories)
        assert.strictEqual(new Set(factories.map(({ factory }) => factory)).size, factories.length)
      })
    )

    it.effect("derives the same account from the same owner, factory and salt, and otherwise a different one", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountAddresses
        const owner = anAddress()
        for (const { factory, eip7702, implementation, kind } of accounts.factories) {
          const request = { owner, factory, salt: 0, eip7702 }
          const account = yield* accounts.derive(request)
          assert.deepStrictEqual(account, { ...request, address: account.address, implementation, kind })
          assert.deepStrictEqual(yield* accounts.derive(request), account)
          const otherAccounts = [yield* accounts.derive({ ...request, owner: anAddress() })]
          if (eip7702) assert.strictEqual(account.address, owner)
          else otherAccounts.push(yield* accounts.derive({ ...request, salt: Number.MAX_SAFE_INTEGER }))
          for (const otherAccount of otherAccounts) assert.notStrictEqual(otherAccount.address, account.address)
        }
      })
    )

    it.effect("fails with FACTORY_NOT_SUPPORTED for an unknown factory, and if EIP-7702 does not apply", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountAddresses
        const owner = anAddress()
        const unknownFactory = anAddress()
        const error = yield* Effect.flip(accounts.derive({ owner, factory: unknownFactory, salt: 0, eip7702: false }))
        assert.strictEqual(error._tag, "FACTORY_NOT_SUPPORTED")
        assert.include(error.message, unknownFactory)
        for (const { factory, eip7702 } of accounts.factories) {
          const error = yield* Effect.flip(accounts.derive({ owner, factory, salt: 0, eip7702: !eip7702 }))
          assert.match(error.reason, /EIP-7702/u)
        }
      })
    )

    it.effect("reports an account without code as not deployed", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountAddresses
        for (const eip7702 of [true, false]) {
          const deployments = yield* accounts.findDeployments(anAccount({ eip7702 }))
          assert.notInclude([...deployments.values()], true)
        }
      })
    )
  })
}
