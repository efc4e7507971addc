import type { Address } from "@countersign/core/primitives"
import { encodeFunctionData } from "viem"
import { accountContracts } from "../../deployments/index.ts"
import { simpleAccount07Abi as abi } from "../abi/simpleAccount.ts"
import { bytesFromHex } from "../hex.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { erc1967Proxy07 } from "./proxyCreationCode.ts"
import { stubEcdsaSignature } from "./signature.ts"
import { simpleAccountAddress } from "./simpleAccountAddress.ts"
import { simpleAccountStorage } from "./storage.ts"

const { simpleAccountFactory07: factory, simpleAccountImplementation07: implementation } = accountContracts

/** eth-infinitism's SimpleAccount for EntryPoint 0.7. The owner signs the raw hash as a message (EIP-191). */
export const simpleAccount07: AccountImplementation = {
  info: {
    factory,
    implementation,
    name: "SimpleAccount 0.7",
    kind: "SIMPLE_0_7",
    entryPoint: accountContracts.entryPoint07,
    entryPointVersion: "0.7",
    eip7702: false
  },
  addressOf: (owner: Address, salt: number) =>
    simpleAccountAddress(factory, implementation, erc1967Proxy07, owner, salt),
  storage: simpleAccountStorage,
  deployment: (account) => ({
    factory,
    factoryData: bytesFromHex(
      encodeFunctionData({ abi, functionName: "createAccount", args: [account.owner, BigInt(account.salt)] })
    )
  }),
  encodeCalls: (calls) => {
    const [only] = calls
    if (calls.length === 1 && only !== undefined) {
      const args = [only.to, only.value, only.data] as const
      return bytesFromHex(encodeFunctionData({ abi, functionName: "execute", args }))
    }
    // The contract takes an empty list of values for none at all.
    const values = calls.some((call) => call.value !== 0n) ? calls.map((call) => call.value) : []
    const args = [calls.map((call) => call.to), values, calls.map((call) => call.data)] as const
    return bytesFromHex(encodeFunctionData({ abi, functionName: "executeBatch", args }))
  },
  stubSignature: stubEcdsaSignature,
  signData: (operation) => ({ type: "USER_OPERATION", method: "personal_sign", hash: userOperationHash(operation) }),
  signsValidity: false,
  wrapSignature: (_operation, signature) => signature
}
