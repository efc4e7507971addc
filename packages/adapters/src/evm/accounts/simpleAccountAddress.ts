import type { Address } from "@countersign/core/primitives"
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbiParameters
} from "viem"
import { simpleAccount07Abi } from "../abi/simpleAccount.ts"
import { addressFromHex } from "../hex.ts"

/** CREATE2 by the factory of an ERC-1967 proxy that calls `initialize(owner)`; the same rule in 0.7 and 0.8. */
export const simpleAccountAddress = (
  factory: Address,
  implementation: Address,
  proxyCreationCode: Hex,
  owner: Address,
  salt: number
): Address => {
  const initialize = encodeFunctionData({
    abi: simpleAccount07Abi,
    functionName: "initialize",
    args: [owner]
  })
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
