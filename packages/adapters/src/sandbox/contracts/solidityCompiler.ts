import { spawn } from "node:child_process"

const COMPILE_TIMEOUT_MS = 180_000

/** Standard JSON goes in and comes out. The compiler is a WebAssembly module that takes a quarter of a gigabyte: it gets a process of its own. */
const PROGRAM = `
const { readFileSync } = require("node:fs")
const compiler = require(process.argv[1])
const compile = compiler.cwrap("solidity_compile", "string", ["string", "number", "number"])
process.stdout.write(compile(readFileSync(0, "utf8"), 0, 0))
`

export interface CompiledOutput {
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

/** Runs `soljson.js` of the npm package solc, which is in this file, on the compiler's standard JSON input. */
export const compileSolidity = (compilerFile: string, input: object): Promise<CompiledOutput> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=commonjs", "-e", PROGRAM, compilerFile], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: COMPILE_TIMEOUT_MS
    })
    const chunks: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", reject)
    child.on("close", (code, signal) => {
      if (code !== 0) return reject(new Error(`the Solidity compiler ended with ${code ?? signal}`))
      const output = JSON.parse(Buffer.concat(chunks).toString("utf8")) as CompiledOutput
      const failure = output.errors?.find(({ severity }) => severity === "error")
      return failure === undefined ? resolve(output) : reject(new Error(failure.formattedMessage))
    })
    child.stdin.end(JSON.stringify(input))
  })
