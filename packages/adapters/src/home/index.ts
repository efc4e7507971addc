export { mailFolder } from "./mailFolder.ts"
export { readSandboxFile, SandboxFile, sandboxDatabaseFile, sandboxFilePath, writeSandboxFile } from "./SandboxFile.ts"
