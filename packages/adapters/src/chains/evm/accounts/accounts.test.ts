import { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { AccountOperations, type UserOperation } from "@countersign/core/operations/user-operations"
import type { AccountKind } from "@countersign/core/wallets/registry"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem"
import { privateKeyToAccount, sign } from "viem/accounts"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { accountKinds, accountOf, CHAIN, freshOwner, rpcClients } from "../../../../test/evm/evmSandbox.ts"
import { randomOperation, randomOwner, randomSalt, seededRandom } from "../../../../test/evm/randomOperation.ts"
import { accountContracts } from "../../deployments/index.ts"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { safeAbi } from "../abi/safe.ts"
import { simpleAccount07Abi } from "../abi/simpleAccount.ts"
import { delegationDesignator } from "../delegation.ts"
import { addressFromHex, bytesFromHex } from "../hex.ts"
import { RpcClients } from "../RpcClients.ts"
import { packUserOperation } from "../user-operation/packing.ts"
import { typedDataDigest, userOperationHash } from "../user-operation/userOperationHash.ts"
import { implementationOf } from "./accountImplementations.ts"
import * as EvmAccountOperations from "./EvmAccountOperations.ts"

const noSignature = HexBytes.make("0x")

const operationOf = (kind: AccountKind, seed: number): UserOperation => ({
  ...randomOperation(seededRandom(seed), implementationOf(kind).info.entryPointVersion),
  sender: accountOf(kind, freshOwner()).address
})

describe("account addresses", () => {
  const owner = Address.make("0x133700000000000000000000000000000000c0de")

  it("equal the published vectors", () => {
    const address = (kind: AccountKind, salt: number) => implementationOf(kind).addressOf(owner, salt)
    assert.strictEqual(address("SIMPLE_0_7", 3), "0x516de46cb7879bb15e6799e46a85d0b3c4d81976")
    assert.strictEqual(address("SIMPLE_0_8", 3), "0xb5c82cbf2e4446519891c94573e36df34ca58ba8")
    assert.strictEqual(address("SIMPLE_7702", 0), owner)
  })
})

describe("userOperationHash", () => {
  it("equals the reference vectors", () => {
    const operation: UserOperation = {
      chainId: 8453,
      entryPoint: accountContracts.entryPoint07,
      entryPointVersion: "0.7",
      sender: Address.make("0x1234567890123456789012345678901234567890"),
      nonce: 1n,
      factory: null,
      factoryData: null,
      callData: HexBytes.make("0x1234"),
      callGasLimit: 0x186a0n,
      verificationGasLimit: 0x30d40n,
      preVerificationGas: 0xc350n,
      maxFeePerGas: 0x77359400n,
      maxPriorityFeePerGas: 0x3b9aca00n,
      paymaster: {
        address: Address.make("0x777777777777aec03fd955926dbf81597e66834c"),
        verificationGasLimit: 0xea60n,
        postOpGasLimit: 0x9c40n,
        data: HexBytes.make("0xabcd")
      },
      authorization: null,
      validUntil: null
    }
    assert.strictEqual(
      userOperationHash(operation),
      "0x44837b7156cb34ddb779b9269b89479bda6d1872feb2699a9b333c9e184d645a"
    )
    assert.strictEqual(
      userOperationHash({ ...operation, entryPoint: accountContracts.entryPoint08, entryPointVersion: "0.8" }),
      "0x9215fbff76c3c34b85128d65436c65fc758a14d2f9df9b816d89320bc0ed0bd8"
    )
  })
})

layer(EvmAccountOperations.layer)("AccountOperations", (it) => {
  it.effect("hashes an EIP-7702 authorization as viem does", () =>
    Effect.gen(function* () {
      const operations = yield* AccountOperations
      const { hash } = operations.buildAuthorization(8453, accountContracts.simple7702Account, 0n)
      assert.strictEqual(hash, "0xa0e2f32aadf3cb41a0b826c942b125f90a103d7f22466af057772f7b6c974a79")
    })
  )

  for (const kind of accountKinds) {
    it.effect(`${kind}: returns typed data whose digest is the hash, and recovers the signer of viem's signature`, () =>
      Effect.gen(function* () {
        const operations = yield* AccountOperations
        for (let seed = 0; seed < 10; seed++) {
          const owner = freshOwner()
          const wallet = privateKeyToAccount(owner.privateKey)
          const operation = operationOf(kind, seed)
          const [data] = operations.buildSignData(accountOf(kind, owner), operation)
          assert(data !== undefined)
          if (kind !== "SAFE_4337") assert.strictEqual(data.hash, operations.hash(operation))
          let signature: Hex
          if (data.typedData === undefined) {
            signature = yield* Effect.promise(() => wallet.signMessage({ message: { raw: data.hash } }))
          } else {
            const { domain, types, primaryType, message } = data.typedData
            assert.strictEqual(typedDataDigest(data.typedData), data.hash)
            signature = yield* Effect.promise(() =>
              wallet.signTypedData({
                domain: { ...domain, verifyingContract: domain.verifyingContract },
                types,
                primaryType,
                message
              })
            )
          }
          assert.strictEqual(yield* operations.recoverSigner(data, bytesFromHex(signature)), owner.address)
          const lowV = signature.endsWith("1b") ? `${signature.slice(0, -2)}00` : `${signature.slice(0, -2)}01`
          assert.strictEqual(yield* operations.recoverSigner(data, bytesFromHex(lowV)), owner.address)
        }
      })
    )
  }

  it.effect("recovers no signer from bytes that are not a canonical signature", () =>
    Effect.gen(function* () {
      const operations = yield* AccountOperations
      const owner = freshOwner()
      const data = {
        type: "USER_OPERATION",
        method: "eth_signTypedData_v4",
        hash: Hash32.make(`0x${"12".repeat(32)}`)
      } as const
      const { r, s, v } = yield* Effect.promise(() => sign({ hash: data.hash, privateKey: owner.privateKey }))
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const highS = (order - BigInt(s)).toString(16).padStart(64, "0")
      const flippedV = v === 27n ? "1c" : "1b"
      const goodSignature = `${r.slice(2)}${s.slice(2)}${v === 27n ? "1b" : "1c"}`
      assert.strictEqual(yield* operations.recoverSigner(data, bytesFromHex(`0x${goodSignature}`)), owner.address)
      for (const badSignature of [
        "",
        `${r.slice(2)}${highS}${flippedV}`,
        `${r.slice(2)}${s.slice(2)}1d`,
        `${goodSignature}00`,
        `${"00".repeat(64)}1b`,
        `${"ff".repeat(32)}${s.slice(2)}1b`
      ]) {
        assert.isNull(yield* operations.recoverSigner(data, bytesFromHex(`0x${badSignature}`)), badSignature)
      }
    })
  )
})

layer(rpcClients.pipe(Layer.provideMerge(SandboxChains.layerTemporary)), { excludeTestServices: true })(
  "Accounts on chain",
  (it) => {
    const CASES = 40

    it.effect("have the addresses that their factories return", () =>
      Effect.gen(function* () {
        const rpc = yield* RpcClients
        const random = seededRandom(1)
        const pairs = Array.from({ length: CASES }, () => [randomOwner(random), randomSalt(random)] as const)
        const call = (to: Hex, data: Hex) =>
          rpc.call(CHAIN, async (client) => (await client.call({ to, data })).data ?? "0x")
        for (const kind of ["SIMPLE_0_7", "SIMPLE_0_8"] as const) {
          const { info, addressOf } = implementationOf(kind)
          const responses = yield* Effect.forEach(
            pairs,
            ([owner, salt]) => {
              const args = [owner, BigInt(salt)] as const
              return call(
                info.factory,
                encodeFunctionData({ abi: simpleAccount07Abi, functionName: "getAddress", args })
              )
            },
            { concurrency: "unbounded" }
          )
          responses.forEach((data, index) => {
            const [owner, salt] = pairs[index]!
            const address = decodeFunctionResult({ abi: simpleAccount07Abi, functionName: "getAddress", data })
            assert.strictEqual(addressOf(owner, salt), addressFromHex(address))
          })
        }
        const results = yield* Effect.forEach(
          pairs,
          ([owner, salt]) => {
            const account = { ...accountOf("SAFE_4337", freshOwner()), owner, salt }
            const { factory, factoryData } = implementationOf("SAFE_4337").deployment(account)
            return call(factory, factoryData ?? noSignature)
          },
          { concurrency: "unbounded" }
        )
        results.forEach((data, index) => {
          const [owner, salt] = pairs[index]!
          const address = decodeFunctionResult({ abi: safeAbi, functionName: "createProxyWithNonce", data })
          assert.strictEqual(implementationOf("SAFE_4337").addressOf(owner, salt), addressFromHex(address))
        })
      })
    )

    it.effect("have operations whose hash is the EntryPoint's getUserOpHash", () =>
      Effect.gen(function* () {
        const rpc = yield* RpcClients
        const random = seededRandom(2)
        const operations = Array.from({ length: CASES }, (_, index) => {
          const operation = randomOperation(random, index % 2 === 0 ? "0.7" : "0.8")
          // Every fourth operation belongs to an EIP-7702 account, which only EntryPoint 0.8 supports.
          if (index % 4 !== 1) return operation
          const { simple7702Account: address } = accountContracts
          const authorization = { chainId: CHAIN, address, nonce: 0, hash: Hash32.make(`0x${"00".repeat(32)}`) }
          return { ...operation, factory: "0x7702" as const, factoryData: null, authorization }
        })
        const hashes = yield* Effect.forEach(
          operations,
          (operation) =>
            rpc.call(CHAIN, (client) =>
              client.readContract({
                address: operation.entryPoint,
                abi: entryPointAbi,
                functionName: "getUserOpHash",
                args: [packUserOperation(operation, noSignature)],
                ...(operation.authorization === null
                  ? {}
                  : {
                      stateOverride: [
                        {
                          address: operation.sender,
                          code: delegationDesignator(operation.authorization.address)
                        }
                      ]
                    })
              })
            ),
          { concurrency: "unbounded" }
        )
        operations.forEach((operation, index) => {
          assert.strictEqual<string | undefined>(userOperationHash(operation), hashes[index])
        })
      })
    )
  }
)
