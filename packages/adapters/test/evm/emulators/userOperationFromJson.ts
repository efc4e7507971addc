import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { concat, type Hex, isAddressEqual, numberToHex } from "viem"
import { hashAuthorization } from "viem/utils"
import { accountContracts } from "../../../src/chains/deployments/index.ts"
import { addressFromHex, bytesFromHex, hash32FromHex } from "../../../src/chains/evm/hex.ts"
import type { Eip7702AuthJson, UserOperationJson } from "../../../src/chains/evm/user-operation/userOperationJson.ts"
import { RpcFault } from "./JsonRpcServer.ts"

export interface ReceivedOperation {
  readonly operation: UserOperation
  readonly signature: HexBytes
  readonly authorizationSignature: HexBytes | null
}

const INVALID_FIELDS = -32602

const entryPointVersionOf = (entryPoint: Hex): "0.7" | "0.8" => {
  if (isAddressEqual(entryPoint, accountContracts.entryPoint07)) return "0.7"
  if (isAddressEqual(entryPoint, accountContracts.entryPoint08)) return "0.8"
  throw new RpcFault(INVALID_FIELDS, `the entry point ${entryPoint} is not supported`)
}

const authorizationOf = (auth: Eip7702AuthJson, chainId: EvmChainId): UserOperation["authorization"] => {
  const nonce = Number(auth.nonce)
  return {
    chainId,
    address: addressFromHex(auth.address),
    nonce,
    hash: hash32FromHex(hashAuthorization({ chainId, address: auth.address, nonce }))
  }
}

const authorizationSignatureOf = ({ r, s, yParity }: Eip7702AuthJson): HexBytes =>
  bytesFromHex(concat([r, s, numberToHex(27 + Number(yParity), { size: 1 })]))

/** Decodes an operation from the first two parameters of the methods of ERC-7769. */
export const userOperationFromJson = (
  chainId: EvmChainId,
  json: UserOperationJson,
  entryPoint: Hex
): ReceivedOperation => {
  const auth = json.eip7702Auth
  return {
    operation: {
      chainId,
      entryPoint: addressFromHex(entryPoint),
      entryPointVersion: entryPointVersionOf(entryPoint),
      sender: addressFromHex(json.sender),
      nonce: BigInt(json.nonce),
      factory: json.factory === undefined ? null : json.factory === "0x7702" ? "0x7702" : addressFromHex(json.factory),
      factoryData: json.factoryData === undefined || json.factory === "0x7702" ? null : bytesFromHex(json.factoryData),
      callData: bytesFromHex(json.callData),
      callGasLimit: BigInt(json.callGasLimit),
      verificationGasLimit: BigInt(json.verificationGasLimit),
      preVerificationGas: BigInt(json.preVerificationGas),
      maxFeePerGas: BigInt(json.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(json.maxPriorityFeePerGas),
      paymaster:
        json.paymaster === undefined
          ? null
          : {
              address: addressFromHex(json.paymaster),
              verificationGasLimit: BigInt(json.paymasterVerificationGasLimit ?? 0),
              postOpGasLimit: BigInt(json.paymasterPostOpGasLimit ?? 0),
              data: bytesFromHex(json.paymasterData ?? "0x")
            },
      authorization: auth === undefined ? null : authorizationOf(auth, chainId),
      validUntil: null
    },
    signature: bytesFromHex(json.signature),
    authorizationSignature: auth === undefined ? null : authorizationSignatureOf(auth)
  }
}
