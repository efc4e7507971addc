import { assert, layer } from "@effect/vitest"
import { Context, Effect, type Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { AccountInspector } from "./AccountInspector.ts"

interface ChangedAccount {
  readonly account: Account
  /** A pattern for the message that the inspector must return. */
  readonly message: RegExp
}

/** Creates accounts to inspect, for each test. */
export class InspectedAccounts extends Context.Service<
  InspectedAccounts,
  {
    readonly chainId: EvmChainId
    readonly undeployedAccounts: Effect.Effect<ReadonlyArray<Account>>
    readonly deployedAccounts: Effect.Effect<ReadonlyArray<Account>>
    readonly changedAccounts: Effect.Effect<ReadonlyArray<ChangedAccount>>
  }
>()("@countersign/core/user-operations/InspectedAccounts") {}

/** Contract tests that every `AccountInspector` must pass. */
export const accountInspectorContract = <E>(
  name: string,
  inspectors: Layer.Layer<AccountInspector | InspectedAccounts, E>
): void => {
  layer(inspectors, { excludeTestServices: true })(`AccountInspector of ${name}`, (it) => {
    const readChange = Effect.fnUntraced(function* (account: Account) {
      const { chainId } = yield* InspectedAccounts
      return yield* (yield* AccountInspector).changeOrNull(chainId, account)
    })

    it.effect("finds no change in accounts that are not deployed, or that are unchanged since their deployment", () =>
      Effect.gen(function* () {
        const { deployedAccounts, undeployedAccounts: notDeployed } = yield* InspectedAccounts
        for (const account of [...(yield* notDeployed), ...(yield* deployedAccounts)]) {
          assert.isNull(yield* readChange(account), account.kind)
        }
      })
    )

    it.effect("describes the change of a changed account", () =>
      Effect.gen(function* () {
        const { changedAccounts } = yield* InspectedAccounts
        for (const { account, message } of yield* changedAccounts) {
          assert.match((yield* readChange(account)) ?? "nothing", message, account.kind)
        }
      })
    )
  })
}
