import type { Address } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import { concat, encodeAbiParameters, getContractAddress, type Hex, numberToHex, parseAbiParameters } from "viem"
import { accountContracts } from "../../deployments/index.ts"
import { simpleAccount07Abi as abi, simpleAccount07Abi } from "../abi/simpleAccount.ts"
import { encoderOf } from "../encoderOf.ts"
import { addressFromHex } from "../hex.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { encodeBaseAccount08Calls, packedUserOperationSignData } from "./baseAccount08.ts"
import { erc1967Proxy07, erc1967Proxy08 } from "./proxyCreationCode.ts"
import { stubEcdsaSignature } from "./signature.ts"
import { simpleAccountStorage } from "./storage.ts"

const simpleAccount07Data = encoderOf(simpleAccount07Abi)

/** Computes the CREATE2 address of an ERC-1967 proxy that calls `initialize(owner)`. Identical in 0.7 and 0.8. */
const simpleAccountAddress = (
  factory: Address,
  implementation: Address,
  proxyCreationCode: Hex,
  owner: Address,
  salt: number
): Address => {
  const initialize = simpleAccount07Data("initialize", [owner])
  return addressFromHex(
    getContractAddress({
      opcode: "CREATE2",
      from: factory,
      salt: numberToHex(BigInt(salt), { size: 32 }),
      bytecode: concat([
        proxyCreationCode,
        encodeAbiParameters(parseAbiParameters("address, bytes"), [implementation, initialize])
      ])
    })
  )
}

const encode = encoderOf(abi)

/** The account verifies the owner's signature itself, so it needs no conversion. */
const plainSignature = {
  stubSignature: stubEcdsaSignature,
  signsValidity: false,
  wrapSignature: (_operation, signature) => signature
} satisfies Partial<AccountImplementation>

/** Describes a proxy that a factory deploys, by the same rule in 0.7 and 0.8. */
const proxyOf = (factory: Address, implementation: Address, creationCode: Hex) =>
  ({
    addressOf: (owner, salt) => simpleAccountAddress(factory, implementation, creationCode, owner, salt),
    storage: simpleAccountStorage,
    deployment: (account) => ({
      factory,
      factoryData: encode("createAccount", [account.owner, BigInt(account.salt)])
    })
  }) satisfies Partial<AccountImplementation>

const encode07Calls = (calls: ReadonlyArray<Call>) => {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) {
    const args = [only.to, only.value, only.data] as const
    return encode("execute", args)
  }
  // If all values are zero, the contract accepts an empty list.
  const values = calls.some((call) => call.value !== 0n) ? calls.map((call) => call.value) : []
  const args = [calls.map((call) => call.to), values, calls.map((call) => call.data)] as const
  return encode("executeBatch", args)
}

/** eth-infinitism's SimpleAccount for EntryPoint 0.7. The owner signs the operation's hash as a message (EIP-191). */
export const simpleAccount07: AccountImplementation = {
  ...plainSignature,
  ...proxyOf(accountContracts.simpleAccountFactory07, accountContracts.simpleAccountImplementation07, erc1967Proxy07),
  info: {
    factory: accountContracts.simpleAccountFactory07,
    implementation: accountContracts.simpleAccountImplementation07,
    name: "SimpleAccount 0.7",
    kind: "SIMPLE_0_7",
    entryPoint: accountContracts.entryPoint07,
    entryPointVersion: "0.7",
    eip7702: false
  },
  encodeCalls: encode07Calls,
  signData: (operation) => ({ type: "USER_OPERATION", method: "personal_sign", hash: userOperationHash(operation) })
}

/** eth-infinitism's SimpleAccount for EntryPoint 0.8. Its factory creates accounts only inside a user operation. */
export const simpleAccount08: AccountImplementation = {
  ...plainSignature,
  ...proxyOf(accountContracts.simpleAccountFactory08, accountContracts.simpleAccountImplementation08, erc1967Proxy08),
  info: {
    factory: accountContracts.simpleAccountFactory08,
    implementation: accountContracts.simpleAccountImplementation08,
    name: "SimpleAccount 0.8",
    kind: "SIMPLE_0_8",
    entryPoint: accountContracts.entryPoint08,
    entryPointVersion: "0.8",
    eip7702: false
  },
  encodeCalls: encodeBaseAccount08Calls,
  signData: packedUserOperationSignData
}

/**
 * The owner's own address, which delegates to eth-infinitism's Simple7702Account (EIP-7702). It has no factory and no
 * salt.
 */
export const simple7702Account: AccountImplementation = {
  ...plainSignature,
  info: {
    factory: accountContracts.simple7702Account,
    implementation: accountContracts.simple7702Account,
    name: "Simple7702Account",
    kind: "SIMPLE_7702",
    entryPoint: accountContracts.entryPoint08,
    entryPointVersion: "0.8",
    eip7702: true
  },
  addressOf: (owner) => owner,
  storage: () => [],
  deployment: () => ({ factory: "0x7702", factoryData: null }),
  encodeCalls: encodeBaseAccount08Calls,
  signData: packedUserOperationSignData
}
