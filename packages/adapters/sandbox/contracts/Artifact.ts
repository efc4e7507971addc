import type { Abi, Hex } from "viem"
import type { ArtifactSource } from "./artifactManifest.ts"

/** Byte ranges of the creation code that must contain a library's address, by file and library. */
export type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, ReadonlyArray<{ readonly start: number; readonly length: number }>>>>
>

/** One compiled contract, reduced to the parts that a deployment or a state override needs. */
export interface Artifact {
  readonly abi: Abi
  /** Creation code without constructor arguments; `0x` if only deployed code is published. */
  readonly bytecode: Hex
  readonly deployedBytecode?: Hex
  readonly linkReferences: LinkReferences
}

const constantIn = (module: string, name: string): Hex => {
  const code = new RegExp(`${name} = \\(owner\\) => concat\\(\\[\\s*"(0x[0-9a-f]+)"`, "u").exec(module)?.[1]
  if (code === undefined) throw new Error(`there is no init code named ${name}`)
  return code as Hex
}

type Bytecode = string | { readonly object: string }

/**
 * Bytecode as compilers publish it: a string from Hardhat and Truffle, a string without `0x` from Waffle, an object
 * from Foundry and 0x.
 */
interface PublishedArtifact extends Partial<Omit<Artifact, "bytecode">> {
  readonly bytecode?: Bytecode
  /** 0x's sol-compiler publishes the compiler's whole output. */
  readonly compilerOutput?: { readonly abi: Abi; readonly evm: { readonly bytecode: Bytecode } }
}

const codeOf = (bytecode: Bytecode): Hex => {
  const text = typeof bytecode === "string" ? bytecode : bytecode.object
  return text.startsWith("0x") ? (text as Hex) : `0x${text}`
}

export const artifactFromFile = (source: ArtifactSource, content: string): Artifact => {
  if (source.javascriptConstant !== undefined) {
    return { abi: [], bytecode: constantIn(content, source.javascriptConstant), linkReferences: {} }
  }
  const publishedArtifact = JSON.parse(content) as PublishedArtifact
  const { compilerOutput } = publishedArtifact
  const published = publishedArtifact.bytecode ?? compilerOutput?.evm.bytecode
  if (published === undefined) throw new Error("it has no bytecode")
  const bytecode = codeOf(published)
  return {
    abi: publishedArtifact.abi ?? compilerOutput?.abi ?? [],
    bytecode: source.bytecodeIsDeployed ? "0x" : bytecode,
    ...(source.bytecodeIsDeployed ? { deployedBytecode: bytecode } : {}),
    ...(source.keepDeployedBytecode && publishedArtifact.deployedBytecode !== undefined
      ? { deployedBytecode: publishedArtifact.deployedBytecode }
      : {}),
    linkReferences: publishedArtifact.linkReferences ?? {}
  }
}

/** Inserts the addresses of libraries, by library name, into the creation code. */
export const linkLibraries = (artifact: Artifact, libraries: Readonly<Record<string, string>>): Artifact => {
  let code: string = artifact.bytecode
  for (const byLibrary of Object.values(artifact.linkReferences)) {
    for (const [library, places] of Object.entries(byLibrary)) {
      const address = libraries[library]
      if (address === undefined) throw new Error(`The library ${library} has no address.`)
      for (const { start, length } of places) {
        const from = 2 + start * 2
        code = code.slice(0, from) + address.slice(2).toLowerCase() + code.slice(from + length * 2)
      }
    }
  }
  return { ...artifact, bytecode: code as Hex }
}
