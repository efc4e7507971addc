import { getAbiItem } from "viem"
import { entryPoint08Abi } from "viem/account-abstraction"

/** The event of each operation in a block, for every EntryPoint version. */
export const userOperationEvent = getAbiItem({ abi: entryPoint08Abi, name: "UserOperationEvent" })
