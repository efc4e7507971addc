import type { Bytes } from "./bytes.ts"

/**
 * Public contract addresses, on which the verifier relies instead of the service's data. Sources: the packages of
 * eth-infinitism, Safe and Uniswap; the deployment lists of Uniswap, PancakeSwap, Morpho, LI.FI and KyberSwap; the
 * routers of Uniswap V2 forks; Aave's address book; Velora's documentation.
 */

export const NATIVE: Bytes = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
export const ZERO: Bytes = "0x0000000000000000000000000000000000000000"

export const entryPoints = {
  "0.7": "0x0000000071727de22e5e9d8baf0edac6f37da032",
  "0.8": "0x4337084d9e255ff0702461cf8895ce9e3b5ff108"
} as const

export const permit2: Bytes = "0x000000000022d473030f116ddee9f6b43ac78ba3"

/** CoW Protocol's settlement contract, and the vault relayer, which transfers sold tokens by their allowance. */
export const settlement: Bytes = "0x9008d19f58aabd9ed0d60971565aa8510560ab41"
export const vaultRelayer: Bytes = "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110"

export const safe = {
  singleton: "0x29fcb43b46531bca003ddc8fcb67ffe91900c762",
  module: "0x75cf11467937ce3f2f357ce24ffc3dbf8fd5c226",
  moduleSetup: "0x2dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47",
  multiSend: "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526"
} as const satisfies Record<string, Bytes>

/**
 * The call format of a router. ROUTER_02: SwapRouter02. SMART_ROUTER: PancakeSwap's SmartRouter, which has the functions
 * of SwapRouter02, but deposits into PancakeSwap's positions. V3: PancakeSwap's SwapRouter. V2: Router02 of Uniswap V2 and
 * its forks. UNIVERSAL: Universal Router 2.0. KYBERSWAP: MetaAggregationRouterV2. LIFI: the contract of LI.FI. VELORA:
 * Augustus 6.2.
 */
export type RouterKind = "ROUTER_02" | "SMART_ROUTER" | "V3" | "V2" | "UNIVERSAL" | "KYBERSWAP" | "LIFI" | "VELORA"

/** AAVE: the Pool contract of Aave V3. MORPHO: Morpho Blue. */
export type LenderKind = "AAVE" | "MORPHO"

type Routers = Readonly<Record<Bytes, RouterKind>>

interface ChainContracts {
  readonly wrapped: Bytes
  readonly routers: Routers
  readonly lenders: Readonly<Record<Bytes, LenderKind>>
  /** Uniswap's NonfungiblePositionManager. */
  readonly positionManager: Bytes
}

const lifi: Routers = { "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae": "LIFI" }
const routersWithoutKyberSwap: Routers = { ...lifi, "0x6a000f20005980200259b80c5102003040001068": "VELORA" }
const aggregators: Routers = { ...routersWithoutKyberSwap, "0x6131b5fae19ea4f9d964eac0408e4408b66337b5": "KYBERSWAP" }

export const chains: Readonly<Record<number, ChainContracts>> = {
  1: {
    wrapped: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    routers: {
      ...aggregators,
      "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45": "ROUTER_02",
      "0x7a250d5630b4cf539739df2c5dacb4c659f2488d": "V2",
      "0x66a9893cc07d91d95644aedd05d03f95e1dba8af": "UNIVERSAL"
    },
    lenders: {
      "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2": "AAVE",
      "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb": "MORPHO"
    },
    positionManager: "0xc36442b4a4522e871399cd717abdd847ab11fe88"
  },
  10: {
    wrapped: "0x4200000000000000000000000000000000000006",
    routers: {
      ...aggregators,
      "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45": "ROUTER_02",
      "0x4a7b5da61326a6379179b40d00f57e5bbdc962c2": "V2",
      "0x851116d9223fabed8e56c0e6b8ad0c31d98b3507": "UNIVERSAL"
    },
    lenders: {
      "0x794a61358d6845594f94dc1db02a252b5b4814ad": "AAVE",
      "0xce95afbb8ea029495c66020883f87aae8864af92": "MORPHO"
    },
    positionManager: "0xc36442b4a4522e871399cd717abdd847ab11fe88"
  },
  56: {
    wrapped: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    routers: {
      ...aggregators,
      "0xb971ef87ede563556b2ed4b1c0b0019111dd85d2": "ROUTER_02",
      "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24": "V2",
      "0x10ed43c718714eb63d5aa57b78b54704e256024e": "V2",
      "0x1b81d678ffb9c0263b24a97847620c99d213eb14": "V3",
      "0x13f4ea83d0bd40e75c8222255bc855a974568dd4": "SMART_ROUTER",
      "0x1906c1d672b88cd1b9ac7593301ca990f94eae07": "UNIVERSAL"
    },
    lenders: {
      "0x6807dc923806fe8fd134338eabca509979a7e0cb": "AAVE",
      "0x01b0bd309aa75547f7a37ad7b1219a898e67a83a": "MORPHO"
    },
    positionManager: "0x7b8a01b39d58278b5de7e48c8449c9f4f5170613"
  },
  100: {
    wrapped: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
    routers: {
      ...routersWithoutKyberSwap,
      "0xc6d25285d5c5b62b7ca26d6092751a145d50e9be": "ROUTER_02",
      "0x1c232f01118cb8b424793ae03f870aa7d0ac7f77": "V2",
      "0x1b02da8cb0d097eb8d57a175b88c7d8b47997506": "V2"
    },
    lenders: {
      "0xb50201558b00496a145fe76f7424749556e326d8": "AAVE",
      "0xb74d4dd451e250bc325aff0556d717e4e2351c66": "MORPHO"
    },
    positionManager: "0xae8fbe656a77519a7490054274910129c9244fa3"
  },
  137: {
    wrapped: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    routers: {
      ...aggregators,
      "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45": "ROUTER_02",
      "0xedf6066a2b290c185783862c7f4776a2c8077ad1": "V2",
      "0xa5e0829caced8ffdd4de3c43696c57f7d7a678ff": "V2",
      "0x1095692a6237d83c6a72f3f5efedb9a670c49223": "UNIVERSAL"
    },
    lenders: {
      "0x794a61358d6845594f94dc1db02a252b5b4814ad": "AAVE",
      "0x1bf0c2541f820e775182832f06c0b7fc27a25f67": "MORPHO"
    },
    positionManager: "0xc36442b4a4522e871399cd717abdd847ab11fe88"
  },
  196: {
    wrapped: "0xe538905cf8410324e03a5a23c1c177a474d59b2b",
    routers: {
      ...lifi,
      "0x4f0c28f5926afda16bf2506d5d9e57ea190f9bca": "ROUTER_02",
      "0x182a927119d56008d921126764bf884221b10f59": "V2",
      "0x5507749f2c558bb3e162c6e90c314c092e7372ff": "UNIVERSAL"
    },
    lenders: {
      "0xe3f3caefdd7180f884c01e57f65df979af84f116": "AAVE"
    },
    positionManager: "0x315e413a11ab0df498ef83873012430ca36638ae"
  },
  8453: {
    wrapped: "0x4200000000000000000000000000000000000006",
    routers: {
      ...aggregators,
      "0x2626664c2603336e57b271c5c0b26f421741e481": "ROUTER_02",
      "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24": "V2",
      "0x6ff5693b99212da76ad316178a184ab56d299b43": "UNIVERSAL"
    },
    lenders: {
      "0xa238dd80c259a72e81d7e4664a9801593f98d1c5": "AAVE",
      "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb": "MORPHO"
    },
    positionManager: "0x03a520b32c04bf3beef7beb72e919cf822ed34f1"
  },
  42161: {
    wrapped: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    routers: {
      ...aggregators,
      "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45": "ROUTER_02",
      "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24": "V2",
      "0xa51afafe0263b40edaef0df8781ea9aa03e381a3": "UNIVERSAL"
    },
    lenders: {
      "0x794a61358d6845594f94dc1db02a252b5b4814ad": "AAVE",
      "0x6c247b1f6182318877311737bac0844baa518f5e": "MORPHO"
    },
    positionManager: "0xc36442b4a4522e871399cd717abdd847ab11fe88"
  },
  43114: {
    wrapped: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    routers: {
      ...aggregators,
      "0xbb00ff08d01d300023c629e8ffffcb65a5a578ce": "ROUTER_02",
      "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24": "V2",
      "0x60ae616a2155ee3d9a68541ba4544862310933d4": "V2",
      "0xe54ca86531e17ef3616d22ca28b0d458b6c89106": "V2",
      "0x94b75331ae8d42c1b61065089b7d48fe14aa73b7": "UNIVERSAL"
    },
    lenders: {
      "0x794a61358d6845594f94dc1db02a252b5b4814ad": "AAVE"
    },
    positionManager: "0x655c406ebfa14ee2006250925e54ec43ad184f8b"
  }
}
