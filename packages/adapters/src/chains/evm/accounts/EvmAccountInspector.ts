import { AccountInspector } from "@countersign/core/operations/user-operations"
import type { Account } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { keccak256 } from "viem"
import { delegationDesignator } from "../delegation.ts"
import { RpcClients } from "../RpcClients.ts"
import type { ProofResponse } from "../rpc/nodeResponses.ts"
import { implementationOf } from "./accountImplementations.ts"
import type { StorageWord } from "./storage.ts"

/** keccak256 of empty code. For an account without code, nodes return this hash or zero. */
const NO_CODE = keccak256("0x")

const isDeployed = ({ codeHash }: ProofResponse): boolean => codeHash !== NO_CODE && BigInt(codeHash) !== 0n

/** Describes a changed delegation; null if it is unchanged. The code of an EIP-7702 account is its delegation. */
const delegationChange = (account: Account, { codeHash }: ProofResponse): string | null =>
  codeHash === keccak256(delegationDesignator(account.implementation))
    ? null
    : "it no longer delegates to the expected contract"

const storageChange = (words: ReadonlyArray<StorageWord>, { storageProof }: ProofResponse): string | null => {
  const changedStorageWord = words.find(({ value }, i) => BigInt(storageProof[i]?.value ?? "0x0") !== value)
  return changedStorageWord === undefined ? null : `its ${changedStorageWord.name} has changed`
}

/** Inspects an account with one `eth_getProof` request, which returns the code hash and storage at the latest block. */
export const layer: Layer.Layer<AccountInspector, never, RpcClients> = Layer.effect(
  AccountInspector,
  Effect.map(RpcClients, (rpc) =>
    AccountInspector.of({
      changeOrNull: Effect.fn("AccountInspector.changeOrNull")((chainId, account) =>
        rpc.call(chainId, async () => {
          const words = implementationOf(account.kind).storage(account)
          const proof = await rpc.request(chainId, "eth_getProof", [
            account.address,
            words.map(({ slot }) => slot),
            "latest"
          ])
          if (!isDeployed(proof)) return null
          return account.eip7702 ? delegationChange(account, proof) : storageChange(words, proof)
        })
      )
    })
  )
)
