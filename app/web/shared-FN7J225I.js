<<<<<<< HEAD
/* from sources dd2d144fed21d2d0; LICENSES.txt */
=======
/* from sources eb9c396430520ce6; LICENSES.txt */
>>>>>>> e7c55107 (Read headers that are not UTF-8 as Windows-1252, say so, and compare accessions as they are stored)
function a(t,o){return r=>{let e=t.appendChild(document.createElement("i"));e.className="probe",e.style.colorScheme=o?"dark":"light",e.style.color=`var(${r})`;let n=getComputedStyle(e).color;return e.remove(),n}}export{a};
