import { copyFile, open, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { stateFile } from "../anvil/AnvilProcess.ts"

/** Written when a chain's deployment is complete. Missing if the chain was killed during its deployment. */
export interface DeploymentMark {
  readonly version: number
  readonly blockNumber: number
}

const markFile = (folder: string): string => join(folder, "deployed.json")
const previousStateFile = (folder: string): string => join(folder, "state.previous.json")

export const deploymentMarkOrNone = async (folder: string): Promise<DeploymentMark | undefined> => {
  try {
    return JSON.parse(await readFile(markFile(folder), "utf8")) as DeploymentMark
  } catch {
    return undefined
  }
}

export const writeDeploymentMark = async (folder: string, mark: DeploymentMark): Promise<void> => {
  const draft = `${markFile(folder)}.draft`
  await writeFile(draft, JSON.stringify(mark), { mode: PRIVATE_FILE_MODE })
  await rename(draft, markFile(folder))
}

export const wipe = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  ensurePrivateFolder(folder)
}

/** Returns whether a state file is intact. anvil writes it in place, so a kill during the write truncates it. */
const isIntact = async (file: string): Promise<boolean> => {
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return false
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, Math.max(0, size - 16))
    return buffer.toString("utf8", 0, bytesRead).trimEnd().endsWith("}")
  } finally {
    await handle.close()
  }
}

/**
 * Ensures that an intact state file exists: the latest one, otherwise that of the previous start. Returns false if
 * there is none.
 */
export const hasState = async (folder: string): Promise<boolean> => {
  const [state, previous] = [stateFile(folder), previousStateFile(folder)]
  if (await isIntact(state)) {
    await copyFile(state, previous)
    return true
  }
  if (!(await isIntact(previous))) return false
  await copyFile(previous, state)
  return true
}
