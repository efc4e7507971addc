import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, BoundedMap } from "@countersign/core/foundation/primitives"
import { AccountAddresses, FactoryNotSupported } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { DELEGATION_PREFIX } from "../delegation.ts"
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
 * Computes account addresses by CREATE2, and finds the chains on which an account has code. A chain that can't be read
 * counts as one without code.
 */
export const layer = (options: AccountAddressesOptions): Layer.Layer<AccountAddresses, never, RpcClients> =>
  Layer.effect(
    AccountAddresses,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      // Only the existence of contracts is cached. An EIP-7702 delegation is not, because the owner can revoke it.
      const contracts = new BoundedMap<string, true>(MAX_REMEMBERED)

      const hasCode = (chainId: EvmChainId, address: Address): Effect.Effect<boolean> => {
        const key = `${chainId}:${address}`
        if (contracts.has(key)) return Effect.succeed(true)
        return rpc
          .call(chainId, (client) => client.getCode({ address }))
          .pipe(
            Effect.map((code) => {
              const isDeployed = code !== undefined && code !== "0x"
              if (isDeployed && !code.startsWith(DELEGATION_PREFIX)) contracts.set(key, true)
              return isDeployed
            }),
            Effect.orElseSucceed(() => false)
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
        findDeployments: Effect.fn("AccountAddresses.deployedOn")(function* (address: Address) {
          const chainIds = options.chainIds()
          const deployedFlags = yield* Effect.forEach(chainIds, (chainId) => hasCode(chainId, address), {
            concurrency: "unbounded"
          })
          return chainIds.filter((_, index) => deployedFlags[index])
        })
      })
    })
  )
