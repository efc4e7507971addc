import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, BoundedMap } from "@countersign/core/foundation/primitives"
import { AccountAddresses, FactoryNotSupported } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { delegateOf } from "../delegation.ts"
import { RpcClients } from "../RpcClients.ts"
import { accountImplementations, factoryImplementation } from "./accountImplementations.ts"

export interface AccountAddressesOptions {
  /** Chains on which the code of accounts is searched. */
  readonly chainIds: () => ReadonlyArray<EvmChainId>
}

/**
 * Maximum number of cached addresses with code. If there are more, the oldest ones are removed from the cache and
 * queried again when needed.
 */
const MAX_REMEMBERED = 100_000

const refusal = (factory: Address, reason: string) => Effect.fail(new FactoryNotSupported({ factory, reason }))

/**
 * Computes account addresses by CREATE2, and finds the chains on which an account is deployed.
 */
export const layer = (options: AccountAddressesOptions): Layer.Layer<AccountAddresses, never, RpcClients> =>
  Layer.effect(
    AccountAddresses,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      // Only the existence of contracts is cached. An EIP-7702 delegation is not, because the owner can revoke it.
      const contracts = new BoundedMap<string, true>(MAX_REMEMBERED)

      /** Returns whether the account is deployed. Null if the chain does not respond. */
      const isDeployedOn = (
        chainId: EvmChainId,
        { address, eip7702, implementation }: Parameters<AccountAddresses["Service"]["findDeployments"]>[0]
      ): Effect.Effect<boolean | null> => {
        const key = `${chainId}:${address}`
        if (!eip7702 && contracts.has(key)) return Effect.succeed(true)
        return rpc
          .call(chainId, (client) => client.getCode({ address }))
          .pipe(
            Effect.map((code) => {
              if (eip7702) return delegateOf(code) === implementation
              const hasContract = code !== undefined && code !== "0x"
              if (hasContract) contracts.set(key, true)
              return hasContract
            }),
            Effect.orElseSucceed(() => null)
          )
      }

      return AccountAddresses.of({
        factories: accountImplementations.map(({ info }) => info),
        derive: ({ owner, factory, salt, eip7702 }) => {
          const implementation = factoryImplementation(factory)
          if (implementation === undefined) return refusal(factory, `${factory} is not a supported factory.`)
          const { info } = implementation
          if (eip7702 && !info.eip7702) return refusal(factory, `${factory} does not support EIP-7702.`)
          if (!eip7702 && info.eip7702) {
            return refusal(factory, `${factory} is an EIP-7702 delegate. Set eip7702=true.`)
          }
          const address = implementation.addressOf(owner, salt)
          return Effect.succeed({
            address,
            owner,
            factory,
            implementation: info.implementation,
            salt,
            kind: info.kind,
            eip7702
          })
        },
        findDeployments: Effect.fn("AccountAddresses.deployedOn")(function* (account) {
          const chainIds = options.chainIds()
          const deployedFlags = yield* Effect.forEach(chainIds, (chainId) => isDeployedOn(chainId, account), {
            concurrency: "unbounded"
          })
          return new Map(
            chainIds.flatMap((chainId, index) => {
              const isDeployed = deployedFlags[index]
              return isDeployed == null ? [] : [[chainId, isDeployed] as const]
            })
          )
        })
      })
    })
  )
