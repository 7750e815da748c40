@echo off
rem Starts a hook with the Node that is there. Written by pisces.
set "PISCES_NODE_OPTIONS=%NODE_OPTIONS%"
set "NODE_OPTIONS="
node "%~dp0run.mjs" %1
if %errorlevel% equ 0 exit /b 0
if not "%2"=="guard" exit /b 1
echo A guard of this plugin cannot run: it needs node in PATH and its files unchanged 1>&2
exit /b 2
