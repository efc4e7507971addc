import type { Address } from "@countersign/core/foundation/primitives"
import type { Account } from "@countersign/core/wallets/registry"
import {
  encodeAbiParameters,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseAbiParameters,
  stringToHex
} from "viem"

/** A storage word of an account, and its expected content. */
export interface StorageWord {
  /** Name of the content, for the message "its <name> has changed". */
  readonly name: string
  readonly slot: Hex
  readonly value: bigint
}

const slotOf = (index: number): Hex => numberToHex(index, { size: 32 })

export const wordOfAddress = (address: Address): bigint => hexToBigInt(address)

/** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
const IMPLEMENTATION_SLOT = numberToHex(hexToBigInt(keccak256(stringToHex("eip1967.proxy.implementation"))) - 1n, {
  size: 32
})

/** Returns the storage of SimpleAccount 0.7 and 0.8: the proxy's implementation, and the owner in the first slot. */
export const simpleAccountStorage = ({ implementation, owner }: Account): ReadonlyArray<StorageWord> => [
  { name: "implementation", slot: IMPLEMENTATION_SLOT, value: wordOfAddress(implementation) },
  { name: "owner", slot: slotOf(0), value: wordOfAddress(owner) }
]

/** Computes the storage slot of a mapping entry. */
const mappedSlot = (mapping: number, key: bigint): Hex =>
  keccak256(encodeAbiParameters(parseAbiParameters("uint256, uint256"), [key, BigInt(mapping)]))

/** Address at the start and the end of the linked lists of owners and modules (`SENTINEL`). */
const SENTINEL = 1n
const MODULES = 1
const OWNERS = 2
const OWNER_COUNT = 3
const THRESHOLD = 4

const namedSlot = (name: string): Hex => keccak256(stringToHex(name))

/** Returns the storage of Safe 1.4.1 with one owner, one module that is also the fallback handler, and no guard. */
export const safeStorage = ({ implementation, owner }: Account, module: Address): ReadonlyArray<StorageWord> => [
  { name: "singleton", slot: slotOf(0), value: wordOfAddress(implementation) },
  { name: "number of owners", slot: slotOf(OWNER_COUNT), value: 1n },
  { name: "threshold", slot: slotOf(THRESHOLD), value: 1n },
  { name: "owner", slot: mappedSlot(OWNERS, SENTINEL), value: wordOfAddress(owner) },
  { name: "list of modules", slot: mappedSlot(MODULES, SENTINEL), value: wordOfAddress(module) },
  { name: "list of modules", slot: mappedSlot(MODULES, wordOfAddress(module)), value: SENTINEL },
  { name: "guard", slot: namedSlot("guard_manager.guard.address"), value: 0n },
  { name: "fallback handler", slot: namedSlot("fallback_manager.handler.address"), value: wordOfAddress(module) }
]
