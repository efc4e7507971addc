import { getAbiItem } from "viem"
import { entryPoint08Abi } from "viem/account-abstraction"

/** The event that every EntryPoint version emits for each included operation. */
export const userOperationEvent = getAbiItem({ abi: entryPoint08Abi, name: "UserOperationEvent" })
