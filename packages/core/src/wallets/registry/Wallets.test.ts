import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { AccountAddresses } from "./AccountAddresses.ts"
import { anAccount, aWallet } from "./Wallet.fixture.ts"
import { WalletStore } from "./WalletStore.ts"
import { Wallets } from "./Wallets.ts"

/** Returns the chains on which a wallet is deployed, from its stored chains and the responses of the chains. */
const shownDeployments = (
  eip7702: boolean,
  deployedOn: ReadonlyArray<EvmChainId>,
  responses: ReadonlyArray<readonly [EvmChainId, boolean]>
) => {
  const wallet = aWallet({ account: anAccount({ eip7702 }), deployedOn })
  const layer = Wallets.layer.pipe(
    Layer.provide([
      Layer.mock(WalletStore, {
        find: () => Effect.succeed(Option.some(wallet)),
        recordDeployment: () => Effect.succeed(true),
        listRegistrations: () => Effect.succeed([])
      }),
      Layer.mock(AccountAddresses, { factories: [], findDeployments: () => Effect.succeed(new Map(responses)) }),
      Layer.mock(EventOutbox, {}),
      Layer.succeed(UnitOfWork, { run: (work) => work })
    ])
  )
  return Wallets.use(({ show }) => show(wallet.projectId, wallet.account.address)).pipe(
    Effect.map((view) => (view.type === "SMART" ? view.deployedOn : [])),
    Effect.provide(layer)
  )
}

describe("The deployments of a wallet", () => {
  it.effect("omit chains on which an EIP-7702 delegation was revoked, and keep chains that do not respond", () =>
    Effect.gen(function* () {
      const deployments = yield* shownDeployments(
        true,
        [1, 10],
        [
          [1, false],
          [8453, true]
        ]
      )
      assert.deepStrictEqual(deployments, [10, 8453])
    })
  )

  it.effect("keep the chains of a contract, because its code stays", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* shownDeployments(
          false,
          [1, 10],
          [
            [1, false],
            [8453, true]
          ]
        ),
        [1, 10, 8453]
      )
    })
  )
})
