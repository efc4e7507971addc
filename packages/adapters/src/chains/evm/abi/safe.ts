import { parseAbi } from "viem"

/** Functions of Safe 1.4.1 (proxy factory, setup, module setup, MultiSend) and Safe4337Module 0.3.0. */
export const safeAbi = parseAbi([
  "function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address)",
  "function proxyCreationCode() view returns (bytes)",
  "function setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function enableModules(address[] modules)",
  "function multiSend(bytes transactions) payable",
  "function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)"
])
