import { Address } from "@countersign/core/foundation/primitives"

/**
 * Account abstraction contracts, each with the same address on every chain. The vendors publish the addresses of the
 * last three, for LightAccount and Kernel. The other addresses are recomputed from published bytecode and transactions.
 * Safe's list of deployments does not contain the 4337 module for chains 196 and 43114, and Avalanche (43114) does not
 * support EIP-7702: check the code before use.
 */
export const accountContracts = {
  create2Deployer: Address.make("0x4e59b44847b379578588920ca78fbf26c0b4956c"),
  safeSingletonFactory: Address.make("0x914d7fec6aac8cd542e72bca78b30650d45643d7"),
  entryPoint07: Address.make("0x0000000071727de22e5e9d8baf0edac6f37da032"),
  entryPoint08: Address.make("0x4337084d9e255ff0702461cf8895ce9e3b5ff108"),
  simpleAccountFactory07: Address.make("0x91e60e0613810449d098b0b5ec8b51a0fe8c8985"),
  simpleAccountFactory08: Address.make("0x13e9ed32155810fdbd067d4522c492d6f68e5944"),
  simpleAccountImplementation07: Address.make("0x68641de71cfea5a5d0d29712449ee254bb1400c2"),
  simpleAccountImplementation08: Address.make("0x28426d752372d68d34340bd94390950dce3c9ec3"),
  simple7702Account: Address.make("0xe6cae83bde06e4c305530e199d7217f42808555b"),
  safeProxyFactory: Address.make("0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67"),
  safeSingletonL2: Address.make("0x29fcb43b46531bca003ddc8fcb67ffe91900c762"),
  safe4337Module: Address.make("0x75cf11467937ce3f2f357ce24ffc3dbf8fd5c226"),
  safeModuleSetup: Address.make("0x2dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47"),
  multiSend: Address.make("0x38869bf66a61cf6bdb996a6ae40d5853fd43b526"),
  lightAccountFactory: Address.make("0x0000000000400cdfef5e2714e63d8040b700bc24"),
  lightAccountImplementation: Address.make("0x8e8e658e22b12ada97b402ff0b044d6a325013c7"),
  kernelMetaFactory: Address.make("0xd703aae79538628d27099b8c4f621be4ccd142d5")
} as const satisfies Record<string, Address>
