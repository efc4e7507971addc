import { parseAbi } from "viem"

/**
 * Functions of SimpleAccountFactory and SimpleAccount for EntryPoint 0.7 (eth-infinitism/account-abstraction v0.7.0).
 */
export const simpleAccount07Abi = parseAbi([
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function initialize(address owner)",
  "function execute(address dest, uint256 value, bytes func)",
  "function executeBatch(address[] dest, uint256[] value, bytes[] func)"
])

/** Functions of BaseAccount for EntryPoint 0.8, the base contract of SimpleAccount and Simple7702Account (v0.8.0). */
export const baseAccount08Abi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function execute(address target, uint256 value, bytes data)",
  "function executeBatch(Call[] calls)"
])
