import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { accountContracts } from "../../src/chains/deployments/index.ts"

/**
 * Returns a generator of pseudo-random numbers (mulberry32). The numbers are the same in each run, so that a failure
 * can be reproduced.
 */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mix = Math.imul(state ^ (state >>> 15), 1 | state)
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32
  }
}

const randomHex = (random: () => number, bytes: number): string =>
  Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, "0")
  ).join("")

export const randomOwner = (random: () => number): Address => Address.make(`0x${randomHex(random, 20)}`)

export const randomSalt = (random: () => number): number =>
  random() < 0.5 ? Math.floor(random() * 10) : Math.floor(random() * Number.MAX_SAFE_INTEGER)

/** Returns a random operation with fields of different sizes, with or without a factory and a paymaster. */
export const randomOperation = (random: () => number, version: EntryPointVersion): UserOperation => {
  const uint = (bytes: number): bigint => BigInt(`0x0${randomHex(random, Math.floor(random() * (bytes + 1)))}`)
  const bytes = (max: number): HexBytes => HexBytes.make(`0x${randomHex(random, Math.floor(random() * max))}`)
  const hasFactory = random() < 0.5
  return {
    chainId: 1,
    entryPoint: version === "0.7" ? accountContracts.entryPoint07 : accountContracts.entryPoint08,
    entryPointVersion: version,
    sender: randomOwner(random),
    nonce: uint(32),
    factory: hasFactory ? randomOwner(random) : null,
    factoryData: hasFactory ? bytes(300) : null,
    callData: bytes(700),
    callGasLimit: uint(15),
    verificationGasLimit: uint(15),
    preVerificationGas: uint(15),
    maxFeePerGas: uint(15),
    maxPriorityFeePerGas: uint(15),
    paymaster:
      random() < 0.5
        ? null
        : {
            address: randomOwner(random),
            verificationGasLimit: uint(15),
            postOpGasLimit: uint(15),
            data: bytes(300)
          },
    authorization: null,
    validUntil: null
  }
}
