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
  const randomUint = (bytes: number): bigint => BigInt(`0x0${randomHex(random, Math.floor(random() * (bytes + 1)))}`)
  const randomBytes = (max: number): HexBytes => HexBytes.make(`0x${randomHex(random, Math.floor(random() * max))}`)
  const hasFactory = random() < 0.5
  return {
    chainId: 1,
    entryPoint: version === "0.7" ? accountContracts.entryPoint07 : accountContracts.entryPoint08,
    entryPointVersion: version,
    sender: randomOwner(random),
    nonce: randomUint(32),
    factory: hasFactory ? randomOwner(random) : null,
    factoryData: hasFactory ? randomBytes(300) : null,
    callData: randomBytes(700),
    callGasLimit: randomUint(15),
    verificationGasLimit: randomUint(15),
    preVerificationGas: randomUint(15),
    maxFeePerGas: randomUint(15),
    maxPriorityFeePerGas: randomUint(15),
    paymaster:
      random() < 0.5
        ? null
        : {
            address: randomOwner(random),
            verificationGasLimit: randomUint(15),
            postOpGasLimit: randomUint(15),
            data: randomBytes(300)
          },
    authorization: null,
    validUntil: null
  }
}
