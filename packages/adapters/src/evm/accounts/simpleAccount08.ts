import { encodeFunctionData } from "viem"
import { accountContracts } from "../../deployments/index.ts"
import { simpleAccount07Abi } from "../abi/simpleAccount.ts"
import { bytesFromHex } from "../hex.ts"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { encodeBaseAccount08Calls, packedUserOperationSignData } from "./baseAccount08.ts"
import { erc1967Proxy08 } from "./proxyCreationCode.ts"
import { stubEcdsaSignature } from "./signature.ts"
import { simpleAccountAddress } from "./simpleAccountAddress.ts"
import { simpleAccountStorage } from "./storage.ts"

const { simpleAccountFactory08: factory, simpleAccountImplementation08: implementation } = accountContracts

/** eth-infinitism's SimpleAccount for EntryPoint 0.8. Its factory creates accounts only inside a user operation. */
export const simpleAccount08: AccountImplementation = {
  info: {
    factory,
    implementation,
    name: "SimpleAccount 0.8",
    kind: "SIMPLE_0_8",
    entryPoint: accountContracts.entryPoint08,
    entryPointVersion: "0.8",
    eip7702: false
  },
  addressOf: (owner, salt) => simpleAccountAddress(factory, implementation, erc1967Proxy08, owner, salt),
  storage: simpleAccountStorage,
  deployment: (account) => ({
    factory,
    factoryData: bytesFromHex(
      encodeFunctionData({
        abi: simpleAccount07Abi,
        functionName: "createAccount",
        args: [account.owner, BigInt(account.salt)]
      })
    )
  }),
  encodeCalls: encodeBaseAccount08Calls,
  stubSignature: stubEcdsaSignature,
  signData: packedUserOperationSignData,
  signsValidity: false,
  wrapSignature: (_operation, signature) => signature
}
