import { BoundedMap } from "@countersign/core/foundation/primitives"
import { encodeAbiParameters, type Hex, hexToBigInt, keccak256, numberToHex, parseAbiParameters } from "viem"

/** Slot of `_pools` in PoolManager (StateLibrary of v4-core), and the offsets of a pool's slots. */
const POOLS_SLOT = 6n
const LIQUIDITY_OFFSET = 3n
const TICKS_OFFSET = 4n
const BITMAP_OFFSET = 5n

const slotHex = (slot: bigint): Hex => numberToHex(slot, { size: 32 })

/** Cache of each pool's first slot, which is computed by hashing. */
const firstSlots = new BoundedMap<string, bigint>(10_000)

const firstSlotOf = (poolId: string): bigint => {
  const knownSlot = firstSlots.get(poolId)
  if (knownSlot !== undefined) return knownSlot
  const slot = hexToBigInt(
    keccak256(encodeAbiParameters(parseAbiParameters("bytes32, uint256"), [poolId as Hex, POOLS_SLOT]))
  )
  firstSlots.set(poolId, slot)
  return slot
}

const mappedSlot = (index: number, slot: bigint): Hex =>
  keccak256(encodeAbiParameters(parseAbiParameters("int256, uint256"), [BigInt(index), slot]))

export const v4Slots = (poolId: string) => {
  const firstSlot = firstSlotOf(poolId)
  return {
    slot0: slotHex(firstSlot),
    liquidity: slotHex(firstSlot + LIQUIDITY_OFFSET),
    tick: (tick: number): Hex => mappedSlot(tick, firstSlot + TICKS_OFFSET),
    bitmapWord: (word: number): Hex => mappedSlot(word, firstSlot + BITMAP_OFFSET)
  }
}
