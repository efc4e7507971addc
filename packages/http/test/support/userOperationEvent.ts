import { getAbiItem } from "viem"
import { entryPoint08Abi } from "viem/account-abstraction"

/** What an EntryPoint of any version logs of each operation in a block. */
export const userOperationEvent = getAbiItem({ abi: entryPoint08Abi, name: "UserOperationEvent" })
