import type { Abi, Hex } from "viem"
import type { ArtifactSource } from "./artifactManifest.ts"

/** Byte ranges of the creation code where the address of a library is inserted, by file and library. */
export type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, ReadonlyArray<{ readonly start: number; readonly length: number }>>>>
>

/** A compiled contract, reduced to what a deployment or a state override needs. */
export interface Artifact {
  readonly abi: Abi
  /** Creation code without constructor arguments; `0x` if only the deployed code is published. */
  readonly bytecode: Hex
  readonly deployedBytecode?: Hex
  readonly linkReferences: LinkReferences
}

const constantIn = (module: string, name: string): Hex => {
  const code = new RegExp(`${name} = \\(owner\\) => concat\\(\\[\\s*"(0x[0-9a-f]+)"`, "u").exec(module)?.[1]
  if (code === undefined) throw new Error(`the module contains no init code named ${name}`)
  return code as Hex
}

type Bytecode = string | { readonly object: string }

/**
 * An artifact as compilers publish it. The bytecode is a string (Hardhat, Truffle), a string without `0x` (Waffle), or
 * an object (Foundry, 0x).
 */
interface PublishedArtifact extends Partial<Omit<Artifact, "bytecode">> {
  readonly bytecode?: Bytecode
  /** 0x's sol-compiler publishes the complete output of the compiler. */
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
  const publishedBytecode = publishedArtifact.bytecode ?? compilerOutput?.evm.bytecode
  if (publishedBytecode === undefined) throw new Error("the artifact contains no bytecode")
  const bytecode = codeOf(publishedBytecode)
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

/** Inserts library addresses, by library name, into the creation code. */
export const linkLibraries = (artifact: Artifact, libraries: Readonly<Record<string, string>>): Artifact => {
  let code: string = artifact.bytecode
  for (const byLibrary of Object.values(artifact.linkReferences)) {
    for (const [library, positions] of Object.entries(byLibrary)) {
      const address = libraries[library]
      if (address === undefined) throw new Error(`The address of the library ${library} is missing.`)
      for (const { start, length } of positions) {
        const startIndex = 2 + start * 2
        code = code.slice(0, startIndex) + address.slice(2).toLowerCase() + code.slice(startIndex + length * 2)
      }
    }
  }
  return { ...artifact, bytecode: code as Hex }
}
