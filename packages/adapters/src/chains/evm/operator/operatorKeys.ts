import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Redacted } from "effect"
import { privateKeyToAddress } from "viem/accounts"
import { addressFromHex } from "../hex.ts"

/**
 * The keys that send `handleOps` of each EntryPoint. A key must not serve both EntryPoints. Reason: a paymaster accepts
 * only listed operators, by the sender of the transaction. If both paymasters listed the same operator, an operation in
 * its bundle could call the other EntryPoint with another party's bundle.
 */
export type OperatorKeys = Readonly<Record<EntryPointVersion, ReadonlyArray<Redacted.Redacted<HexBytes>>>>

/** The operators that the paymaster of each EntryPoint must list. */
export type OperatorAddresses = Readonly<Record<EntryPointVersion, ReadonlyArray<Address>>>

export const keyToAddress = (key: Redacted.Redacted<HexBytes>): Address =>
  addressFromHex(privateKeyToAddress(Redacted.value(key)))

export const operatorAddresses = (keys: OperatorKeys): OperatorAddresses => ({
  "0.7": keys["0.7"].map(keyToAddress),
  "0.8": keys["0.8"].map(keyToAddress)
})

/** Returns the end of the message "NAME is not …" if the keys of a version are invalid; null if they are valid. */
export const operatorKeyProblem = (keys: OperatorKeys, version: EntryPointVersion): string | null => {
  const { "0.7": addresses07, "0.8": addresses08 } = operatorAddresses(keys)
  const versionKeys = version === "0.7" ? addresses07 : addresses08
  if (versionKeys.length === 0) return `set: EntryPoint ${version} needs its own operator key`
  if (new Set(versionKeys).size < versionKeys.length) return "a list of different private keys"
  const sharedAddress = version === "0.8" ? addresses08.find((address) => addresses07.includes(address)) : undefined
  return sharedAddress === undefined
    ? null
    : `a list of different keys: the key of ${sharedAddress} is also an operator key of EntryPoint 0.7, and each EntryPoint needs its own operator keys`
}
