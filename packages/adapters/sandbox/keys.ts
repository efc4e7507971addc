import { pbkdf2Sync } from "node:crypto"
import { Address } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { Hex } from "viem"
import { HDKey, privateKeyToAccount } from "viem/accounts"

/** Default mnemonic of Ethereum development tools. Its keys are public, so never fund them on another chain. */
export const SANDBOX_MNEMONIC = "test test test test test test test test test test test junk"

export interface SandboxKey {
  readonly address: Address
  readonly privateKey: Hex
}

export interface SandboxKeys {
  /** Deploys the contracts and owns the Uniswap factory. */
  readonly deployer: SandboxKey
  /** Holds the faucet's tokens and the liquidity of the pools. */
  readonly treasury: SandboxKey
  /** Keys of the bundler, one per EntryPoint. They send `handleOps`, and the EntryPoint reimburses them. */
  readonly operators: Readonly<Record<EntryPointVersion, SandboxKey>>
  readonly paymasterOwner: SandboxKey
  readonly paymasterSigner: SandboxKey
  /** Owners of demonstration wallets. */
  readonly owners: ReadonlyArray<SandboxKey>
}

const OWNER_COUNT = 4
const FIRST_OWNER_INDEX = 5
const OPERATOR_08_INDEX = FIRST_OWNER_INDEX + OWNER_COUNT

const deriveKeys = (): SandboxKeys => {
  // Derives the BIP-39 seed with OpenSSL, because a JavaScript implementation would add 200 ms to every start.
  const seed = pbkdf2Sync(SANDBOX_MNEMONIC, "mnemonic", 2048, 64, "sha512")
  const branch = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")
  const keyAt = (index: number): SandboxKey => {
    const privateKey: Hex = `0x${Buffer.from(branch.deriveChild(index).privateKey!).toString("hex")}`
    return { privateKey, address: Address.make(privateKeyToAccount(privateKey).address.toLowerCase()) }
  }
  return {
    deployer: keyAt(0),
    treasury: keyAt(1),
    operators: { "0.7": keyAt(2), "0.8": keyAt(OPERATOR_08_INDEX) },
    paymasterOwner: keyAt(3),
    paymasterSigner: keyAt(4),
    owners: Array.from({ length: OWNER_COUNT }, (_, index) => keyAt(FIRST_OWNER_INDEX + index))
  }
}

let keys: SandboxKeys | undefined

/** Returns the keys, which are derived at first use. */
export const sandboxKeys = (): SandboxKeys => {
  keys ??= deriveKeys()
  return keys
}
