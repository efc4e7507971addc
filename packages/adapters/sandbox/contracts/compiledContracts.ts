import { spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Abi } from "viem"
import type { Artifact } from "./Artifact.ts"
import { adaptiveCurveIrmSource } from "./adaptiveCurveIrmSource.ts"
import { allowListTokenSource } from "./allowListTokenSource.ts"
import type { ArtifactPackage } from "./artifactManifest.ts"
import { augustusSource } from "./augustusSource.ts"
import { kyberSwapRouterSource } from "./kyberSwapRouterSource.ts"
import { lifiSource } from "./lifiSource.ts"
import { routerPartsSource } from "./routerPartsSource.ts"

const COMPILE_TIMEOUT_MS = 180_000

/**
 * A program that compiles standard JSON from stdin to stdout. The compiler is a WebAssembly module that uses 250 MB, so
 * it runs in its own process.
 */
const PROGRAM = `
const { readFileSync } = require("node:fs")
const compiler = require(process.argv[1])
const compile = compiler.cwrap("solidity_compile", "string", ["string", "number", "number"])
process.stdout.write(compile(readFileSync(0, "utf8"), 0, 0))
`

interface CompiledOutput {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly abi: unknown; readonly evm: { readonly bytecode: { readonly object: string } } }>
      >
    >
  >
}

/** Runs `soljson.js` of the npm package solc with the compiler's standard JSON input. */
const compileSolidity = (compilerFile: string, input: object): Promise<CompiledOutput> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=commonjs", "-e", PROGRAM, compilerFile], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: COMPILE_TIMEOUT_MS
    })
    const chunks: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", reject)
    child.on("close", (code, signal) => {
      if (code !== 0) return reject(new Error(`the Solidity compiler exited with ${code ?? signal}`))
      const output = JSON.parse(Buffer.concat(chunks).toString("utf8")) as CompiledOutput
      const failure = output.errors?.find(({ severity }) => severity === "error")
      return failure === undefined ? resolve(output) : reject(new Error(failure.formattedMessage))
    })
    child.stdin.end(JSON.stringify(input))
  })

import packages from "./artifactPackages.json" with { type: "json" }

const { morphoBlue, solc } = packages

const COMPILER = "soljson.js"
const MORPHO = `${morphoBlue.name}/src/Morpho.sol`

/** Solidity sources in this repository. */
const ownSources = {
  "AdaptiveCurveIrm.sol": adaptiveCurveIrmSource,
  "AllowListToken.sol": allowListTokenSource,
  "Augustus.sol": augustusSource,
  "KyberSwapRouter.sol": kyberSwapRouterSource,
  "LiFi.sol": lifiSource,
  "RouterParts.sol": routerPartsSource
} as const

/** Source file by contract. */
const compiledFiles = {
  Morpho: MORPHO,
  AdaptiveCurveIrm: "AdaptiveCurveIrm.sol",
  AllowListToken: "AllowListToken.sol",
  KyberSwapRouter: "KyberSwapRouter.sol",
  Augustus: "Augustus.sol",
  RouteExecutor: "RouterParts.sol",
  LiFiDiamond: "LiFi.sol",
  LiFiExchange: "LiFi.sol",
  LiFiFeeForwarder: "LiFi.sol",
  ChainflipVault: "LiFi.sol"
} as const
export type CompiledName = keyof typeof compiledFiles
const compiledNames = Object.keys(compiledFiles) as ReadonlyArray<CompiledName>

const morphoSources = [
  "src/Morpho.sol",
  "src/interfaces/IERC20.sol",
  "src/interfaces/IIrm.sol",
  "src/interfaces/IMorpho.sol",
  "src/interfaces/IMorphoCallbacks.sol",
  "src/interfaces/IOracle.sol",
  "src/libraries/ConstantsLib.sol",
  "src/libraries/ErrorsLib.sol",
  "src/libraries/EventsLib.sol",
  "src/libraries/MarketParamsLib.sol",
  "src/libraries/MathLib.sol",
  "src/libraries/SafeTransferLib.sol",
  "src/libraries/SharesMathLib.sol",
  "src/libraries/UtilsLib.sol"
]

/**
 * The settings of Morpho's deployments, except `viaIR`. That setting only reduces gas, and makes compilation five times
 * slower.
 */
const settings = {
  optimizer: { enabled: true, runs: 999_999 },
  evmVersion: "paris",
  metadata: { bytecodeHash: "none" },
  outputSelection: {
    "*": Object.fromEntries(compiledNames.map((name) => [name, ["abi", "evm.bytecode.object"]]))
  }
}

/** How to compile the contracts that are published only as source code, and the npm packages that they need. */
export const compilation = {
  packages: [
    { package: solc, paths: [COMPILER] },
    { package: morphoBlue, paths: morphoSources }
  ],
  /** Part of the cache key. It changes whenever a compiled source or a setting changes. */
  inputs: { settings, ownSources, packages: [solc, morphoBlue], morphoSources }
} as const

/**
 * Compiles the contracts, which takes a few seconds. `files` contains the files of the packages, by package and path.
 * `folder` is a temporary folder.
 */
export const compiledArtifacts = async (
  files: ReadonlyMap<ArtifactPackage, ReadonlyMap<string, Buffer>>,
  folder: string
): Promise<Readonly<Record<CompiledName, Artifact>>> => {
  const fileOf = (source: ArtifactPackage, path: string): Buffer => {
    const file = files.get(source)?.get(path)
    if (file === undefined) throw new Error(`${source.name}@${source.version} does not contain ${path}`)
    return file
  }
  const compilerFile = join(folder, "soljson.cjs")
  await writeFile(compilerFile, fileOf(solc, COMPILER))
  const { contracts } = await compileSolidity(compilerFile, {
    language: "Solidity",
    sources: {
      ...Object.fromEntries(
        morphoSources.map((path) => [
          `${morphoBlue.name}/${path}`,
          { content: fileOf(morphoBlue, path).toString("utf8") }
        ])
      ),
      ...Object.fromEntries(Object.entries(ownSources).map(([file, content]) => [file, { content }]))
    },
    settings
  })
  const artifactOf = (file: string, name: CompiledName): Artifact => {
    const compiledContract = contracts?.[file]?.[name]
    if (compiledContract === undefined) throw new Error(`the compiler output does not contain ${name}`)
    return {
      abi: compiledContract.abi as Abi,
      bytecode: `0x${compiledContract.evm.bytecode.object}`,
      linkReferences: {}
    }
  }
  return Object.fromEntries(compiledNames.map((name) => [name, artifactOf(compiledFiles[name], name)])) as Record<
    CompiledName,
    Artifact
  >
}
