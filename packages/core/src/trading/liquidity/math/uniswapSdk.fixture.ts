import { createRequire } from "node:module"

/**
 * Loads Uniswap's packages for comparison. It uses `require`, because their ES modules import files without extensions.
 */
const require = createRequire(import.meta.url)

export const sdkCore: typeof import("@uniswap/sdk-core") = require("@uniswap/sdk-core")
export const v3Sdk: typeof import("@uniswap/v3-sdk") = require("@uniswap/v3-sdk")
export const JSBI: typeof import("jsbi").default = require("jsbi")
