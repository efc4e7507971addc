export { closePrivateFile, ensurePrivateFile, ensurePrivateFolder, PRIVATE_FILE_MODE } from "./privateFiles.ts"
export { readSandboxFile, SandboxFile, sandboxDatabaseFile, sandboxFilePath, writeSandboxFile } from "./SandboxFile.ts"
