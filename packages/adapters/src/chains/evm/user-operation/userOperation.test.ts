import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { assert, describe, it } from "@effect/vitest"
import { keccak256, toHex } from "viem"
import { getUserOperationHash } from "viem/account-abstraction"
import { randomOperation, seededRandom } from "../../../../test/evm/randomOperation.ts"
import { accountContracts } from "../../deployments/index.ts"
import { hashedInitCode, packUserOperation, paymasterAndDataOf } from "./packing.ts"
import { packedUserOperationTypedData, typedDataDigest, userOperationHash } from "./userOperationHash.ts"
import { userOperationJson } from "./userOperationJson.ts"
import { viemUserOperation } from "./viemUserOperation.ts"

const signature = HexBytes.make(`0x${"5a".repeat(65)}`)
const authorizationSignature = HexBytes.make(`0x${"11".repeat(32)}${"22".repeat(32)}1c`)

/** Builds an EIP-7702 operation, with or without the authorization tuple of its first use. */
const withDelegation = (operation: UserOperation, hasAuthorization: boolean): UserOperation => ({
  ...operation,
  factory: "0x7702",
  factoryData: null,
  authorization: hasAuthorization
    ? { chainId: 1, address: accountContracts.simple7702Account, nonce: 3, hash: Hash32.make(`0x${"00".repeat(32)}`) }
    : null
})

const operations = (count: number): ReadonlyArray<UserOperation> => {
  const random = seededRandom(11)
  return Array.from({ length: count }, (_, index) => {
    const operation = randomOperation(random, index % 2 === 0 ? "0.7" : "0.8")
    return index % 4 === 3 ? withDelegation(operation, index % 8 === 3) : operation
  })
}

/** Serializes JSON with sorted keys and bigints as text, so that equal values have the same text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return part.toString()
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })

/** Computes one digest over many random operations in a format. */
const digestOf = (form: (operation: UserOperation) => unknown): string =>
  keccak256(
    toHex(
      operations(200)
        .map((operation) => textOf(form(operation)))
        .join("\n")
    )
  )

// The digests were recorded from an earlier, separate implementation, which was verified against the EntryPoint
// contracts.
describe("a user operation", () => {
  it("is packed as recorded", () => {
    assert.strictEqual(
      digestOf((operation) => packUserOperation(operation, signature)),
      "0x19df364844559eb61eeabba6a3d03560c64e3f6f680346349f46f8038dd7c5dc"
    )
    assert.strictEqual(
      digestOf((operation) => [hashedInitCode(operation), paymasterAndDataOf(operation)]),
      "0xb47fb0636c249725fb58a824bad5fc20c01430e435008ab82ab507f7eb060ac8"
    )
  })

  it("has the recorded hash and typed data", () => {
    assert.strictEqual(
      digestOf(userOperationHash),
      "0xcf7251c3706329c871c092285c1a98abd03f27abf17b3358549d73f4d3feb206"
    )
    assert.strictEqual(
      digestOf(packedUserOperationTypedData),
      "0xfebe5ad60aef1bb2f78c1e3dcb1a622070728422b86177f9453372211a0269ca"
    )
  })

  it("has the hash that viem computes, and typed data with the same digest", () => {
    for (const operation of operations(200)) {
      const { chainId, entryPoint, entryPointVersion } = operation
      const hash = userOperationHash(operation)
      const userOperation = viemUserOperation(operation, signature)
      assert.strictEqual<string>(
        hash,
        getUserOperationHash({ chainId, entryPointAddress: entryPoint, entryPointVersion, userOperation })
      )
      if (entryPointVersion === "0.8")
        assert.strictEqual(hash, typedDataDigest(packedUserOperationTypedData(operation)))
    }
  })

  it("has the recorded JSON-RPC format", () => {
    assert.strictEqual(
      digestOf((operation) => userOperationJson(operation, signature, null)),
      "0xf4e90d85eee0c136883db00210526ade4f3771a6cab089a57d7fb3b25db1f017"
    )
    assert.strictEqual(
      digestOf((operation) => userOperationJson(operation, signature, authorizationSignature)),
      "0x2bcad0a3c2cd72561b5072f2473730fd12d05e9b0e05fd388ca4ed0d58e6e587"
    )
  })
})
